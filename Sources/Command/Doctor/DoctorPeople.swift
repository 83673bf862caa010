import Core
import Notify
import Pipeline

/// Whether anybody would be told.
extension Doctor {
    func people(_ site: Site, _ configuration: Configuration) -> [Sign] {
        var signs: [Sign] = []
        let channels = site.people.flatMap(\.channels)
        if !channels.contains(where: \.kind.canSend) {
            signs.append(
                .warn("people", "nobody is told of alarms", "apply a site document in which a person has a channel"))
        } else {
            signs.append(
                .ok("people", "\(site.people.count) people, \(channels.count) channels, \(site.routes.count) routes"))
        }
        for kind in Set(channels.map(\.kind)).filter({ !$0.canSend }).sorted(by: { $0.rawValue < $1.rawValue }) {
            signs.append(
                .warn("people", "this version cannot send by \(kind.rawValue)", "give those people another channel too")
            )
        }
        for name in Set(site.people.compactMap(\.timeZone) + [site.timeZone]).sorted() where TimeZones.zone(name) == nil
        {
            signs.append(
                .bad("time zones", "“\(name)” of the site document is not known here", "correct it, or install tzdata"))
        }
        return signs + mail(channels, configuration) + secrets(channels, configuration)
    }

    private func mail(_ channels: [Person.Channel], _ configuration: Configuration) -> [Sign] {
        let isWanted = channels.contains { $0.kind == .email }
        guard let mail = configuration.mail else {
            guard isWanted else { return [] }
            return arguments.has("config")
                ? [
                    .bad(
                        "mail", "people have mail addresses, and no mail server is set",
                        "add \"mail\" to the configuration file")
                ]
                : [
                    .warn(
                        "mail", "people have mail addresses",
                        "name the configuration file with --config to look at the mail settings")
                ]
        }
        if let trouble = mail.password?.trouble {
            return [.bad("mail", trouble, "put the password where mail.passwordFile says, readable for the service")]
        }
        return [.ok("mail", "\(mail.server), from \(mail.from.address), encryption \(mail.encryption.rawValue)")]
    }

    private func secrets(_ channels: [Person.Channel], _ configuration: Configuration) -> [Sign] {
        channels.compactMap { channel -> Sign? in
            guard channel.kind == .webhook, let secret = channel.secret,
                let trouble = SecretReference(secret, folder: configuration.folder).trouble
            else { return nil }
            return .bad("webhook", trouble, "put the secret there, or correct secretFile in the site document")
        }
    }
}
