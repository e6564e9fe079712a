import { expect, test } from "vitest";
import { isPublic, lookupPublic, mayBePublic } from "./addresses.ts";
import { isAllowedAddress } from "./delivery.ts";

test.each([
	["127.0.0.1", false],
	["10.1.2.3", false],
	["169.254.169.254", false],
	["192.168.1.1", false],
	["100.64.0.1", false],
	["224.0.0.1", false],
	["255.255.255.255", false],
	["::1", false],
	["fe80::1", false],
	["fd00::1", false],
	["::ffff:10.0.0.1", false],
	["64:ff9b::a00:1", false],
	["2002:a00:1::", false],
	["2001:0:a00:1::", false],
	["8.8.8.8", true],
	["2a00:1450::1", true],
])("whether %s is public: %s", (address, expected) => {
	expect(isPublic(address)).toBe(expected);
	const host = address.includes(":") ? `[${address}]` : address;
	expect(mayBePublic(new URL(`https://${host}/`))).toBe(expected);
});

test.each([
	["https://erp.example/hooks", true],
	["https://erp.example/hooks/7?shop=1", true],
	["https://erp.example/hooks2", false],
	["https://erp.example/hooks/../admin", false],
	["https://erp.example/hooks/%2e%2e/admin", false],
	["https://erp.example:444/hooks", false],
	["http://erp.example/hooks", false],
	["https://user@erp.example/hooks", false],
	["https://erp.example.evil.example/hooks", false],
	["on the moon", false],
])("whether answers may go to %s: %s", (address, expected) => {
	const to = ["https://erp.example/hooks"];
	expect(isAllowedAddress(address, { to })).toBe(expected);
});

test.each([{}, { all: true }])(
	"a name that leads into this machine isn't connected to, with %j",
	async (options) => {
		const error = await new Promise((resolve) =>
			lookupPublic("localhost", options, resolve),
		);
		expect(error).toMatchObject({
			message: "The address is in a private network",
		});
	},
);
