#pragma once

#include <curl/curl.h>

// libcurl's setters and getters are variadic; each kind of argument gets a function of its own.

static inline CURLcode nw_easy_set_long(CURL *handle, CURLoption option, long value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode nw_easy_set_size(CURL *handle, CURLoption option, curl_off_t value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode nw_easy_set_string(CURL *handle, CURLoption option, const char *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode nw_easy_set_pointer(CURL *handle, CURLoption option, void *value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode nw_easy_set_list(CURL *handle, CURLoption option, struct curl_slist *value)
{
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*nw_transfer_callback)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode nw_easy_set_transfer(CURL *handle, CURLoption option, nw_transfer_callback callback)
{
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode nw_easy_set_progress(CURL *handle, curl_xferinfo_callback callback, void *context)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    return code;
}

/// The last response code; 0 before any.
static inline long nw_easy_status(CURL *handle)
{
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// Seconds that the server asks us to wait, from a number or a date; 0 when it does not.
static inline curl_off_t nw_easy_retry_after(CURL *handle)
{
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}

/// The next finished transfer, or NULL. The message dies with the next call, so its parts are handed out.
static inline CURL *nw_multi_finished(CURLM *multi, CURLcode *code)
{
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
