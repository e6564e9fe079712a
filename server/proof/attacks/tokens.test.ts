import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { sampled } from "../../../sync/testing/lane.ts";
import { lifetimeSeconds } from "../../accounts/tokens.ts";
import { fill } from "../../testing/operations.ts";
import {
	authSecret,
	openTestServer,
	type TestServer,
	type TestUser,
} from "../../testing/server.ts";
import {
	compareQuickly,
	dump,
	forge,
	isTried,
	reasonOf,
	type Target,
	targets,
} from "./testing/attacks.ts";

const day = 24 * 3_600;
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
type Forgery = (claims: Record<string, unknown>) => string;

const now = () => Math.floor(Date.now() / 1_000);
const unsigned = (alg: string) => (claims: object) =>
	forge(claims, { header: { alg } }).replace(/[^.]*$/, "");
const changed = (change: object) => (claims: object) =>
	forge({ ...claims, ...change });
const headed = (header: object) => (claims: object) =>
	forge(claims, { header });

/** An owner's token with one thing wrong. */
const forgeries: Record<string, Forgery> = {
	"no signature": unsigned("none"),
	"no signature, spelt otherwise": unsigned("nOnE"),
	"the algorithm none, and a signature": headed({ alg: "none" }),
	"no algorithm": headed({ alg: undefined }),
	"an empty signature": unsigned("HS256"),
	HS512: (claims) =>
		forge(claims, { header: { alg: "HS512" }, digest: "sha512" }),
	HS384: (claims) =>
		forge(claims, { header: { alg: "HS384" }, digest: "sha384" }),
	"a lower-case algorithm": headed({ alg: "hs256" }),
	"RS256 and the attacker's key": (claims) =>
		forge(claims, { header: { alg: "RS256" }, key: privateKey }),
	"RS256, signed with the secret": headed({ alg: "RS256" }),
	"a key that it brings along": (claims) =>
		forge(claims, {
			header: { jwk: { kty: "oct", k: "a2V5" } },
			key: "key",
		}),
	"the name of a file for a key": (claims) =>
		forge(claims, { header: { kid: "/dev/null" }, key: "" }),
	"what must be understood and is not": headed({ crit: ["x"], x: 1 }),
	"an empty list of what must be understood": headed({ crit: [] }),
	"a payload that is not encoded": headed({ crit: ["b64"], b64: false }),
	"another secret": (claims) => forge(claims, { key: `${authSecret}!` }),
	"an empty secret": (claims) => forge(claims, { key: "" }),
	"another issuer": changed({ iss: "other" }),
	"no issuer": changed({ iss: undefined }),
	"another audience": changed({ aud: "other" }),
	"no audience": changed({ aud: undefined }),
	"an end that is past": changed({ exp: 1_600_000_000 }),
	"no end": changed({ exp: undefined }),
	"an end that is text": changed({ exp: "2099-01-01" }),
	"an end beyond any of ours": (claims) =>
		forge({ ...claims, exp: now() + lifetimeSeconds + day }),
	"a beginning that is its end": (claims) =>
		forge({ ...claims, iat: now() + day }),
	"a first use in the future": (claims) =>
		forge({ ...claims, nbf: now() + day }),
	"nobody's id": changed({ sub: undefined }),
	"an id that is a number": changed({ sub: 1 }),
	"a session without an id": changed({ jti: undefined, aud: "service-web" }),
	"the id of one who is not there": changed({ sub: "somebody" }),
	"a role that is none": changed({ role: "OWNER" }),
	"an administrator's role": changed({ role: "admin" }),
	"the administrator's email, too": changed({
		role: "admin",
		email: "root@example.com",
	}),
	"the version of a password that is to come": changed({ tokenVersion: 1 }),
	"a version that is none": changed({ tokenVersion: -1 }),
	"more than 8 KB": changed({ name: "x".repeat(6_500) }),
};

interface Opened {
	server: TestServer;
	asha: TestUser;
	closed: Target[];
}

async function open(): Promise<Opened> {
	compareQuickly("correct horse");
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	const closed = targets(server).filter(({ access }) => access !== "anyone");
	return { server, asha, closed };
}

const takesBearer = ({ access }: Target) =>
	access === "member" || access === "gateway";

function claimsOf({ asha }: Opened, target: Target): Record<string, unknown> {
	return {
		sub: asha.id,
		email: "asha@example.com",
		name: "Asha",
		role: "user",
		businessId: asha.businessId,
		iss: "service",
		aud: takesBearer(target) ? "service-mobile" : "service-web",
		jti: "a session",
		iat: now(),
		exp: now() + day,
	};
}

function ask({ server }: Opened, target: Target, token: string) {
	const { method, path, body } = target;
	const headers: Record<string, string> = takesBearer(target)
		? { authorization: `Bearer ${token}` }
		: { cookie: `session=${token}` };
	return server.ask(method, path, { body, headers });
}

/** Lists the operations that accept the token. */
async function letIn(
	opened: Opened,
	make: (target: Target) => string,
	asked = opened.closed,
) {
	const wrong: string[] = [];
	for (const target of asked) {
		const answer = await ask(opened, target, make(target));
		if (answer.status !== 401 || reasonOf(answer) !== "Unauthorized")
			wrong.push(`${target.name}: ${answer.status} ${answer.text}`);
	}
	return wrong;
}

test("no route accepts a forged token, and nothing changes", async () => {
	const opened = await open();
	const before = await dump(opened.server);
	for (const [i, [what, make]] of Object.entries(forgeries).entries()) {
		const asked = opened.closed.filter((_target, j) => isTried(i, j));
		const wrong = await letIn(
			opened,
			(target) => make(claimsOf(opened, target)),
			asked,
		);
		expect({ what, wrong }).toEqual({ what, wrong: [] });
	}
	expect(await dump(opened.server)).toBe(before);

	// The valid token is accepted everywhere; it comes last because its requests take effect.
	for (const target of sampled(opened.closed, 6)) {
		const token = forge(claimsOf(opened, target));
		const { status } = await ask(opened, target, token);
		const isForAdmins = target.access === "adminSession";
		expect(`${target.name}: ${status === 403}`).toBe(
			`${target.name}: ${isForAdmins}`,
		);
		expect(`${target.name}: ${status}`).not.toMatch(/ (401|5\d\d)$/);
	}
});

test("a bearer token is not a session cookie or the reverse, and neither outlives its user [AUTH-1] [AUTH-2]", async () => {
	const opened = await open();
	const { server, asha } = opened;
	const swapped = (target: Target) =>
		takesBearer(target)
			? asha.cookie.replace("session=", "")
			: asha.bearer.replace("Bearer ", "");
	expect(await letIn(opened, swapped)).toEqual([]);

	const right = (target: Target) => forge(claimsOf(opened, target));
	const write = (sql: string) =>
		server.shop.store.write((tx) => tx.run(sql, asha.id));
	await write("UPDATE users SET disabled_at = '2026-01-01' WHERE id = ?");
	expect(await letIn(opened, right)).toEqual([]);
	await write("UPDATE users SET disabled_at = NULL WHERE id = ?");
	await write("UPDATE users SET token_version = 1 WHERE id = ?");
	expect(await letIn(opened, right)).toEqual([]);
});

test("a split token or another scheme is refused", async () => {
	const { server, asha } = await open();
	const [header, payload, signature] = asha.bearer
		.replace("Bearer ", "")
		.split(".") as [string, string, string];
	const other = forge({ sub: "other" }).split(".");
	for (const token of [
		"",
		".",
		"..",
		header,
		`${header}.${payload}`,
		`${header}.${payload}.${signature.slice(1)}`,
		`${header}.${payload}.${signature}.${signature}`,
		`${header}.${other[1]}.${signature}`,
		`${header}.${payload}.${other[2]}`,
		`${other[0]}${header}.${payload}.${signature}`,
		JSON.stringify({ header, payload, signature }),
		"%00",
		"' OR 1=1 --",
	])
		for (const scheme of ["Bearer ", "bearer", "Basic ", "Token ", ""]) {
			const authorization = `${scheme}${token}`;
			const ask = (headers: Record<string, string>) =>
				server.ask("GET", "/api/products", { headers });
			// Only a bearer header takes precedence over the cookie.
			const isBearer = /^bearer( |$)/i.test(authorization.trim());
			const alone = await ask({ authorization });
			const beside = await ask({ authorization, cookie: asha.cookie });
			expect([authorization, alone.status, beside.status]).toEqual([
				authorization,
				401,
				isBearer ? 401 : 200,
			]);
		}
});
