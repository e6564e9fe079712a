/** Returns an IPv4 address as it is, and an IPv6 address's /64, since one subscriber owns it whole. */
export function networkOf(address: string): string {
	const bare = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
	return bare.includes(":") ? prefixOf(bare, 4) : bare;
}

/** Returns an IPv6 address's /48, since its subscriber has 65,536 networks; undefined for IPv4. */
export function siteOf(address: string): string | undefined {
	const network = networkOf(address);
	return network.includes(":") ? prefixOf(address, 3) : undefined;
}

function prefixOf(address: string, length: number): string {
	const [head = "", tail] = address.split("::");
	const groups = head.split(":");
	if (tail !== undefined) while (groups.length < length) groups.push("0");
	return `${groups.slice(0, length).join(":")}::/${length * 16}`;
}

/** True for a client on this machine: a browser or a proxy. */
export function isLoopback(address = ""): boolean {
	return /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(address);
}
