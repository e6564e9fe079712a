import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import { Command } from "commander";
import { CommandError } from "./error.ts";

const checkout = join(import.meta.dirname, "../..");
/** Ports below are the system's to give. */
const ownPortMin = 1_024;

export function serviceCommand(): Command {
	return new Command("service")
		.description("Run the server whenever this machine runs")
		.addCommand(
			new Command("print")
				.description(
					"Print a systemd unit for the server, as this user, with DATA_DIR, PORT and HOST as they are now; other settings go into /etc/counterfoil.env",
				)
				.addHelpText(
					"after",
					"\nExample:\n  DATA_DIR=/srv/shop counterfoil service print | sudo tee /etc/systemd/system/counterfoil.service",
				)
				.action(print),
		);
}

function print(): void {
	const dataDir = resolve(process.env.DATA_DIR || "./data");
	if (!existsSync(dataDir))
		throw new CommandError(
			`There is no directory ${dataDir}; make it for the user that the server will run as, or set DATA_DIR to another`,
		);
	const { username } = userInfo();
	if (username === "root")
		console.error(
			"The server would run as root; print this as a user of its own",
		);
	const { PORT, HOST } = process.env;
	process.stdout.write(toUnit({ dataDir, username, PORT, HOST }));
}

/**
 * The server may read what it needs and write nothing but its data. Memory that is written and then run stays allowed:
 * JavaScript is compiled that way.
 */
function toUnit({
	dataDir,
	username,
	PORT,
	HOST,
}: {
	dataDir: string;
	username: string;
	PORT: string | undefined;
	HOST: string | undefined;
}): string {
	const environment = Object.entries({
		DATA_DIR: dataDir,
		PORT,
		HOST,
	})
		.filter(([, value]) => value)
		.map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`);
	const isLowPort = Number(PORT || ownPortMin) < ownPortMin;
	const capability = isLowPort ? "CAP_NET_BIND_SERVICE" : "";
	const program = [process.execPath, join(checkout, "cli/main.js")]
		.map((word) => quote(word).replaceAll("$", "$$$$"))
		.join(" ");
	return `[Unit]
Description=Counterfoil, the shop's server
Wants=network-online.target
After=network-online.target postgresql.service
RequiresMountsFor=${quote(dataDir)}

[Service]
User=${username}
WorkingDirectory=${literal(checkout)}
${environment.join("\n")}
EnvironmentFile=-/etc/counterfoil.env
ExecStart=${program} serve
Restart=on-failure
RestartSec=2
# Wrong settings do not get better by trying again.
RestartPreventExitStatus=78
TimeoutStopSec=20
UMask=0077
ReadWritePaths=${quote(dataDir)}
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
NoNewPrivileges=yes
CapabilityBoundingSet=${capability}
AmbientCapabilities=${capability}
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** A percent sign would be systemd's own. */
function literal(text: string): string {
	return text.replaceAll("%", "%%");
}

function quote(text: string): string {
	return `"${literal(text).replaceAll(/["\\]/g, "\\$&")}"`;
}
