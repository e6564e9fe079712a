import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type ConnectionLimits, openHttpServer } from "./connections.ts";
import { openProxySocket, type ProxySocket } from "./proxy-socket.ts";
import { answerStarting } from "./starting.ts";

/** How long running requests may take to end. */
const graceMs = 10_000;
/** The same behind a proxy that has other servers: a model's complete answer may take three minutes. */
const proxiedGraceMs = 200_000;
const idleCheckMs = 50;
/** Hosts that `localhost` reaches. */
const localHosts = new Set(["localhost", "127.0.0.1", "0.0.0.0", "::", "::1"]);

/** An HTTP server that listens on an address. */
export interface Listener {
	url: string;
	port: number;
	/**
	 * Passes all further requests to the app, and opens the proxy's socket. Until then, each is answered that the server is
	 * starting.
	 *
	 * @throws SettingsError if the socket can't be opened
	 */
	serve(app: RequestListener): Promise<void>;
	/** Closes idle connections at once and the others after their answers, within ten seconds or, with a socket, 200. */
	close(): Promise<void>;
}

interface Address {
	host: string;
	port: number;
	/** The file at which a proxy reaches the server, too. */
	socketPath?: string | undefined;
}

/** @throws a system error if the address or the port isn't available */
export async function listen(
	{ host, port, socketPath }: Address,
	limits: ConnectionLimits,
): Promise<Listener> {
	let current = answerStarting;
	let proxySocket: ProxySocket | undefined;
	const server = openHttpServer(
		(request, response) => current(request, response),
		limits,
	);
	const sockets = new Set<Socket>();
	server.on("connection", (socket) => {
		sockets.add(socket);
		socket.on("close", () => sockets.delete(socket));
	});
	server.listen(port, host);
	await once(server, "listening");
	const bound = (server.address() as AddressInfo).port;
	return {
		url: urlOf(host, bound),
		port: bound,
		async serve(app) {
			current = app;
			if (socketPath !== undefined)
				proxySocket = await openProxySocket(socketPath, server);
		},
		close: () => end(server, sockets, proxySocket),
	};
}

function urlOf(host: string, port: number): string {
	if (localHosts.has(host)) return `http://localhost:${port}`;
	return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Ends idle connections at once, the others with their answers. */
async function end(
	server: Server,
	sockets: ReadonlySet<Socket>,
	proxySocket: ProxySocket | undefined,
): Promise<void> {
	const left = await proxySocket?.leave();
	const ended = Promise.all([once(server, "close"), left?.ended]);
	server.close();
	const closeIdle = () => {
		server.closeIdleConnections();
		// Browsers open spare connections that they may never use; a proxy sends a request on each.
		for (const socket of sockets)
			if (socket.bytesRead === 0 && isOfPort(socket)) socket.destroy();
	};
	closeIdle();
	// A connection that becomes idle meanwhile would otherwise stay open for its keep-alive time.
	const sweep = setInterval(closeIdle, idleCheckMs);
	const timer = setTimeout(
		() => server.closeAllConnections(),
		proxySocket ? proxiedGraceMs : graceMs,
	);
	await ended;
	clearInterval(sweep);
	clearTimeout(timer);
	// The cut-off sockets emit `close` only after the server does, and then abort their requests' work.
	for (const socket of sockets)
		await new Promise((resolve) => socket.once("close", resolve));
}

/** A socket file's connections have no port. */
function isOfPort({ localPort }: Socket): boolean {
	return localPort !== undefined;
}
