import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Addresses that no public host has: of this machine, its network, documentation and so on (RFC 6890). */
const reserved = new BlockList();
for (const network of [
	...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8"],
	...["169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24"],
	...["192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
	...["203.0.113.0/24", "224.0.0.0/3"],
]) {
	const [address = "", bits] = network.split("/");
	reserved.addSubnet(address, Number(bits));
}
/** Within IPv6's public addresses; Teredo and 6to4 carry any IPv4 address. */
for (const network of ["2001::/23", "2001:db8::/32", "2002::/16"]) {
	const [address = "", bits] = network.split("/");
	reserved.addSubnet(address, Number(bits), "ipv6");
}
const publicV6 = new BlockList();
publicV6.addSubnet("2000::", 3, "ipv6");

export function isPublic(address: string): boolean {
	return isIP(address) === 4
		? !reserved.check(address)
		: publicV6.check(address, "ipv6") && !reserved.check(address, "ipv6");
}

/** @returns false for an address of a private network that is written as numbers; a name is looked up later */
export function mayBePublic({ hostname }: URL): boolean {
	const host = hostname.replace(/^\[|\]$/g, "");
	return isIP(host) === 0 || isPublic(host);
}

/** Looks up public addresses alone, for the connection itself: what a name is first checked for may change. */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
	lookup(hostname, { ...options, all: true }, (error, found) => {
		const addresses = error ? [] : found.filter((it) => isPublic(it.address));
		const [first] = addresses;
		if (error) done(error, []);
		else if (!first) done(new Error("The address is in a private network"), []);
		else if (options.all) done(null, addresses);
		else done(null, first.address, first.family);
	});
};
