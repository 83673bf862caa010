#pragma once

#include <stdint.h>
#include <string.h>
#include <microhttpd.h>

// libmicrohttpd starts by a variadic function whose options Swift cannot name; its small enums become plain numbers here.

/// Paths and queries come to us as they were sent: only then can an escaped NUL or slash be told from a plain one.
static inline size_t nw_httpd_leave_escapes(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    return strlen(text);
}

/// One thread with epoll on a socket that listens already. NULL with errno on failure.
static inline struct MHD_Daemon *nw_httpd_start(
    int listening, unsigned connections, unsigned idle_seconds, size_t memory_per_connection,
    MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connection,
    void *context)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, access, context, MHD_OPTION_LISTEN_SOCKET,
        listening, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, nw_httpd_leave_escapes, NULL, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connection, context, MHD_OPTION_END);
}

/// A response with a copy of the bytes, or NULL.
static inline struct MHD_Response *nw_httpd_response(const void *bytes, size_t count)
{
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline int nw_httpd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *nw_httpd_peer(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline int nw_httpd_has_started(enum MHD_ConnectionNotificationCode code)
{
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

typedef enum MHD_Result (*nw_httpd_pair)(void *context, enum MHD_ValueKind kind, const char *key, const char *value);

static inline void nw_httpd_headers(struct MHD_Connection *connection, nw_httpd_pair each, void *context)
{
    MHD_get_connection_values(connection, MHD_HEADER_KIND, each, context);
}

static inline void nw_httpd_query(struct MHD_Connection *connection, nw_httpd_pair each, void *context)
{
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, each, context);
}
