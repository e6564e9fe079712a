import fc from "fast-check";
import { expect } from "vitest";
import { cheapPassword, credentialsOf } from "../../testing/server.ts";
import { expectAnswer, expectRefusal, kind, pick, type Scene } from "./call.ts";
import { names, nats } from "./inputs.ts";
import {
	businessWire,
	type Membership,
	membersOf,
	newShop,
	type Person,
	type Shop,
	type World,
} from "./world.ts";

const knownEmail = "An account with that email already exists";
const noOwner = "A business needs an owner who can sign in";
let accounts = 0;

/** Makes an email that is unique in this process. */
function newEmail(): string {
	accounts += 1;
	return `person-${accounts}@model.example`;
}

/** Adds a person with an account to the world. */
export async function newPerson(
	identity: {
		id: string;
		name: string;
		email: string;
		businessId: string | null;
	},
	membership: Membership[],
	more: Partial<Person> = {},
): Promise<Person> {
	const { id, name, email } = identity;
	const role = more.isAdmin ? "admin" : "user";
	return {
		...{ id, name, email },
		isAdmin: false,
		isDisabled: false,
		...(await credentialsOf({ ...identity, role })),
		memberships: membership,
		notifications: [],
		unwanted: new Set(),
		...more,
	};
}

const register = kind({
	operation: "POST /api/auth/register",
	weight: 0.15,
	input: fc.record({ name: names, isKnown: fc.nat(4).map((n) => n === 0) }),
	ask: ({ world }, { name, isKnown }) => ({
		body: {
			name: ` ${name} `,
			email: isKnown ? world.people[0]?.email.toUpperCase() : newEmail(),
			password: cheapPassword,
			role: "admin",
		},
	}),
	async answered({ world, read }, { name, isKnown }, answer, { body }) {
		if (isKnown) return expectRefusal(answer, 409, knownEmail);
		const { email } = body as { email: string };
		const made = answer.body as { id: string; businessId: string };
		const { id, businessId } = made;
		expectAnswer(answer, 201, { id, businessId, email, name });
		const person = await newPerson({ id, name, email, businessId }, []);
		const { body: own } = await read("/api/business", person);
		const { body: all } = await read("/api/members", person);
		const { members } = all as { members: { createdAt: string }[] };
		const shop = newShop({
			id: businessId,
			name: `${name}'s Business`,
			createdAt: (own as { createdAt: string }).createdAt,
		});
		world.shops.push(shop);
		const createdAt = members[0]?.createdAt ?? "";
		person.memberships.push({ shop, role: "OWNER", createdAt });
		world.people.push(person);
	},
});

function identityOf({ id, email, name, memberships }: Person) {
	const businessId = memberships[0]?.shop.id ?? null;
	return { id, email, name, role: "user", businessId };
}

const signIn = (operation: string) =>
	kind({
		operation,
		weight: 0.15,
		input: fc.record({ n: nats, isWrong: fc.boolean() }),
		ask({ world }, { n, isWrong }) {
			const all = world.people.filter(({ isAdmin }) => !isAdmin);
			const { email } = pick(all, n) as Person;
			return {
				body: { email, password: isWrong ? "wrong" : cheapPassword },
			};
		},
		answered({ world }, { isWrong }, answer, { body }) {
			const { email } = body as { email: string };
			const person = world.people.find((one) => one.email === email) as Person;
			if (isWrong || person.isDisabled)
				return expectRefusal(answer, 401, "Invalid email or password");
			const user = identityOf(person);
			if (operation === "POST /login") {
				expectAnswer(answer, 200, { user });
				const cookie = answer.headers.get("set-cookie") ?? "";
				expect(cookie).toContain("HttpOnly");
				person.cookie = cookie.split(";")[0] ?? "";
			} else {
				const { token } = answer.body as { token: string };
				expectAnswer(answer, 200, { token, user });
				person.bearer = `Bearer ${token}`;
			}
		},
	});

const readSession = kind({
	operation: "GET /api/session",
	weight: 1,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ person }, _, answer) {
		const role = person.isAdmin ? "admin" : "user";
		expectAnswer(answer, 200, {
			user: { ...identityOf(person), role },
			role: person.memberships[0]?.role ?? null,
		});
	},
});

const signOut = kind({
	operation: "POST /logout",
	weight: 0.2,
	input: fc.constant(null),
	ask: () => ({}),
	answered(_, __, answer) {
		expectAnswer(answer, 200, { ok: true });
	},
});

const readBusiness = kind({
	operation: "GET /api/business",
	weight: 1,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ shop }, _, answer) {
		expectAnswer(answer, 200, businessWire(shop));
	},
});

const changeBusiness = kind({
	operation: "PATCH /api/business",
	weight: 2,
	input: fc.record(
		{
			name: names,
			currency: fc.constantFrom("KES", "USD", "euro"),
			timeZone: fc.constantFrom(
				"Africa/Nairobi",
				"Pacific/Kiritimati",
				"Pacific/Pago_Pago",
				"America/New_York",
				"Asia/Kathmandu",
			),
			cutOffHour: fc.integer({ min: 0, max: 23 }),
			receiptHeader: fc.option(names),
			receiptFooter: fc.option(names),
			openItems: fc.boolean(),
			cashUnit: fc.option(fc.constantFrom(0.05, 1, 50)),
			receiptLanguage: fc.option(fc.constantFrom("sw", "pt-BR")),
			receiptLogoUrl: fc.option(names),
		},
		{ requiredKeys: [] },
	),
	ask: (_, set) => ({ body: { ...set, id: "another" } }),
	answered({ shop, role }, set, answer) {
		if (role !== "OWNER") return expectRefusal(answer, 403);
		if (set.currency === "euro") return expectRefusal(answer, 400);
		Object.assign(shop, set);
		expectAnswer(answer, 200, businessWire(shop));
	},
});

function memberWire({
	person,
	role,
	createdAt,
}: Membership & { person: Person }) {
	const { id: userId, name, email, isDisabled: disabled } = person;
	return { userId, name, email, role, disabled, createdAt };
}

function inOrder(world: World, shop: Shop) {
	const key = ({ createdAt, person }: Membership & { person: Person }) =>
		`${createdAt} ${person.id}`;
	return membersOf(world, shop).toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

const listMembers = kind({
	operation: "GET /api/members",
	weight: 1,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ world, shop, role }, _, answer) {
		if (role === "CASHIER") return expectRefusal(answer, 403, "Forbidden");
		expectAnswer(answer, 200, {
			members: inOrder(world, shop).map(memberWire),
		});
	},
});

const roles = fc.constantFrom("OWNER", "MANAGER", "CASHIER", "BOSS");

const addMember = kind({
	operation: "POST /api/members",
	weight: 0.15,
	input: fc.record({ name: names, role: roles, isKnown: fc.boolean() }),
	ask: ({ world }, { name, role, isKnown }) => ({
		body: {
			name,
			role,
			password: cheapPassword,
			email: isKnown ? world.people[0]?.email : newEmail(),
		},
	}),
	async answered(scene, { name, role, isKnown }, answer, { body }) {
		if (scene.role !== "OWNER") return expectRefusal(answer, 403, "Forbidden");
		const { world, shop } = scene;
		if (role === "BOSS") return expectRefusal(answer, 400);
		if (isKnown) return expectRefusal(answer, 409, knownEmail);
		const { email } = body as { email: string };
		const made = answer.body as { userId: string; createdAt: string };
		const { userId: id, createdAt } = made;
		const membership = { shop, role: role as Membership["role"], createdAt };
		const person = await newPerson({ id, name, email, businessId: shop.id }, [
			membership,
		]);
		world.people.push(person);
		expectAnswer(answer, 201, memberWire({ person, ...membership }));
	},
});

/** Picks a member of the caller's business, another person, or nobody. */
function pickPerson({ world, shop }: Scene, n: number): string {
	const own = membersOf(world, shop).map(({ person }) => person.id);
	return pick(
		[...own, ...own, ...world.people.map(({ id }) => id), "none"],
		n,
	) as string;
}

function memberOf({ world, shop }: Scene, id: string | undefined) {
	return membersOf(world, shop).find(({ person }) => person.id === id);
}

/** Whether an owner could still sign in after a member changes. */
function keepsOwner(
	{ world, shop }: Scene,
	id: string,
	changed:
		| { role?: string | undefined; disabled?: boolean | undefined }
		| undefined,
): boolean {
	return membersOf(world, shop).some(({ person, role }) => {
		if (person.id !== id) return role === "OWNER" && !person.isDisabled;
		return (
			changed !== undefined &&
			(changed.role ?? role) === "OWNER" &&
			!(changed.disabled ?? person.isDisabled)
		);
	});
}

const changeMember = kind({
	operation: "PATCH /api/members/:id",
	weight: 2,
	input: fc.record({
		n: nats,
		set: fc.record(
			{ role: roles, disabled: fc.boolean() },
			{ requiredKeys: [] },
		),
	}),
	ask: (scene, { n, set }) => ({ id: pickPerson(scene, n), body: set }),
	answered(scene, { set }, answer, { id }) {
		if (scene.role !== "OWNER") return expectRefusal(answer, 403, "Forbidden");
		if (set.role === "BOSS") return expectRefusal(answer, 400);
		const member = memberOf(scene, id);
		if (!member) return expectRefusal(answer, 404, "Member not found");
		const { person } = member;
		// One business can't disable an account that belongs to several.
		if (set.disabled !== undefined && person.memberships.length > 1)
			return expectRefusal(answer, 403);
		if (!keepsOwner(scene, person.id, set))
			return expectRefusal(answer, 409, noOwner);
		if (set.disabled !== undefined) person.isDisabled = set.disabled;
		for (const membership of person.memberships)
			if (membership.shop === scene.shop && set.role)
				membership.role = set.role as Membership["role"];
		const now = memberOf(scene, id) as typeof member;
		expectAnswer(answer, 200, memberWire(now));
	},
});

const dropMember = kind({
	operation: "DELETE /api/members/:id",
	weight: 0.5,
	input: nats,
	ask: (scene, n) => ({ id: pickPerson(scene, n) }),
	answered(scene, _, answer, { id }) {
		if (scene.role !== "OWNER") return expectRefusal(answer, 403, "Forbidden");
		const member = memberOf(scene, id);
		if (!member) return expectRefusal(answer, 404, "Member not found");
		const { person } = member;
		if (!keepsOwner(scene, person.id, undefined))
			return expectRefusal(answer, 409, noOwner);
		expectAnswer(answer, 200, { ok: true });
		person.memberships = person.memberships.filter(
			({ shop }) => shop !== scene.shop,
		);
	},
});

const listDevices = kind({
	operation: "GET /api/devices",
	weight: 1,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ shop, role }, _, answer) {
		if (role === "CASHIER") return expectRefusal(answer, 403, "Forbidden");
		const { devices } = answer.body as {
			devices: { id: string; prefix: string; lastSeenAt: string }[];
		};
		expect(devices).toHaveLength(shop.devices.size);
		for (const id of shop.devices)
			if (id !== "the server")
				expect(devices.map((one) => one.id)).toContain(id);
		const prefixes = new Set(devices.map(({ prefix }) => prefix));
		expect(prefixes.size).toBe(devices.length);
		const seen = devices.map(({ lastSeenAt }) => lastSeenAt);
		expect(seen).toEqual(seen.toSorted().toReversed());
	},
});

export const peopleKinds = [
	register,
	signIn("POST /api/auth/mobile-login"),
	signIn("POST /login"),
	readSession,
	signOut,
	readBusiness,
	changeBusiness,
	listMembers,
	addMember,
	changeMember,
	dropMember,
	listDevices,
];
