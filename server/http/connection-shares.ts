import type { Server } from "node:http";
import type { Socket } from "node:net";
import { isLoopback, networkOf } from "./networks.ts";

export interface ConnectionShares {
	/** Limit for the server; a further connection replaces an idle one, or is closed. */
	connections: number;
	/** Limit for one address; a proxy on this machine serves many clients and may use all connections. */
	perAddress: number;
}

/**
 * Keeps room for new connections: at either limit, closes the connection that has been idle longest, at the address with
 * the most connections.
 */
export function shareConnections(
	server: Server,
	{ connections, perAddress }: ConnectionShares,
): void {
	/** By address, the longest idle first. */
	const socketsByAddress = new Map<string, Set<Socket>>();
	const busy = new Set<Socket>();
	let open = 0;

	function remove(address: string, socket: Socket): void {
		const sockets = socketsByAddress.get(address);
		if (!sockets?.delete(socket)) return;
		open -= 1;
		if (sockets.size === 0) socketsByAddress.delete(address);
	}

	/** Closes an idle connection, or the newcomer if all are busy. */
	function closeOne(address: string, newcomer: Socket, its: string): void {
		for (const socket of socketsByAddress.get(address) ?? [])
			if (socket !== newcomer && !busy.has(socket)) {
				remove(address, socket);
				socket.destroy();
				return;
			}
		remove(its, newcomer);
		newcomer.destroy();
	}

	function largest(): string {
		let most = "";
		let size = 0;
		for (const [address, sockets] of socketsByAddress)
			if (sockets.size > size) {
				most = address;
				size = sockets.size;
			}
		return most;
	}

	server.on("connection", (socket) => {
		const from = socket.remoteAddress ?? "";
		const address = networkOf(from);
		const sockets = socketsByAddress.get(address) ?? new Set();
		socketsByAddress.set(address, sockets);
		sockets.add(socket);
		open += 1;
		socket.on("close", () => remove(address, socket));
		if (sockets.size > perAddress && !isLoopback(from))
			closeOne(address, socket, address);
		else if (open > connections) closeOne(largest(), socket, address);
	});

	server.on("request", ({ socket }, response) => {
		busy.add(socket);
		response.on("close", () => {
			busy.delete(socket);
			const sockets = socketsByAddress.get(
				networkOf(socket.remoteAddress ?? ""),
			);
			// Moves the socket to the end, since it was just used.
			if (sockets?.delete(socket)) sockets.add(socket);
		});
	});
}
