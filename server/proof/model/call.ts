import { setTimeout as sleep } from "node:timers/promises";
import type fc from "fast-check";
import { expect } from "vitest";
import type { Access } from "../../http/operation.ts";
import type { Answer, TestServer } from "../../testing/server.ts";
import type { Membership, Person, Shop, World } from "./world.ts";

/** A request to an operation, without its caller. */
interface ModelRequest {
	/** Fills the path's id. */
	id?: string;
	query?: Record<string, string>;
	body?: unknown;
	headers?: Record<string, string>;
}

/** The circumstances of an answer that is compared. */
export interface Scene {
	world: World;
	/** The caller, and their businesses in order. */
	person: Person;
	memberships: Membership[];
	/** The first of them. */
	shop: Shop;
	role: Membership["role"];
	/** When the request was sent. */
	began: string;
	/** Sends a further GET, as the same or another person. */
	read(path: string, as?: Person): Promise<Answer>;
}

/** One operation in the model: its inputs, and the contract's rules for the answer and the world after it. */
export interface Kind<Input> {
	/** `POST /api/products` */
	operation: string;
	weight: number;
	input: fc.Arbitrary<Input>;
	ask(scene: Scene, input: Input): ModelRequest;
	/** Compares the answer and changes the world as the contract says. Called only for permitted callers. */
	answered(
		scene: Scene,
		input: Input,
		answer: Answer,
		asked: ModelRequest,
	): void | Promise<void>;
}

/** Erases the input's type. */
export function kind<Input>(it: Kind<Input>): Kind<unknown> {
	return it as unknown as Kind<unknown>;
}

export function expectAnswer(
	{ status, body }: Answer,
	expected: number,
	exactly: unknown,
): void {
	expect({ status, body }).toEqual({ status: expected, body: exactly });
}

/** Checks a refusal and its message; any message, if the contract names none. */
export function expectRefusal(
	answer: Answer,
	status: number,
	error: unknown = expect.any(String),
): void {
	expectAnswer(answer, status, { error });
}

/** Reads a new id made by the server, and checks that no record had it. */
export function newIdOf(world: World, answer: Answer): string {
	const { id } = answer.body as { id: string };
	expect(id).toMatch(/^[0-9a-f-]{36}$/);
	expect(idsOf(world.shops)).not.toContain(id);
	return id;
}

/** Reads an answer's `createdAt`, and checks that it lies within the call. */
export function createdIn({ began }: Scene, answer: Answer): string {
	const { createdAt } = answer.body as { createdAt: string };
	expect(createdAt >= began, `${createdAt} >= ${began}`).toBe(true);
	expect(createdAt <= new Date().toISOString()).toBe(true);
	return createdAt;
}

export function pick<T>(list: readonly T[], n: number): T | undefined {
	return list[n % list.length];
}

/** Picks an id of the caller's business, of another business, or of no record. */
export function pickId(
	{ world, shop }: Scene,
	of: (shop: Shop) => { id: string }[],
	n: number,
): string {
	const own = of(shop);
	const ids = [...own, ...own, ...own, ...world.shops.flatMap(of)];
	return pick([...ids.map(({ id }) => id), "none"], n) as string;
}

/** A generated call, as a command for fast-check's model runner. */
export class Call implements fc.AsyncCommand<World, TestServer> {
	readonly kind: Kind<unknown>;
	readonly access: Access;
	readonly input: unknown;
	readonly who: number;
	readonly byCookie: boolean;

	constructor(
		kind: Kind<unknown>,
		access: Access,
		input: unknown,
		who: number,
		byCookie: boolean,
	) {
		this.kind = kind;
		this.access = access;
		this.input = input;
		this.who = who;
		this.byCookie = byCookie;
	}

	check(): boolean {
		return true;
	}

	async run(world: World, server: TestServer): Promise<void> {
		await nextMoment();
		const person = world.people[this.who % (world.people.length + 1)];
		const credentials = this.credentialsOf(person);
		const [first] = person?.memberships ?? [];
		const scene: Scene = {
			world,
			person: person as Person,
			memberships: person?.memberships ?? [],
			shop: first?.shop ?? (world.shops[0] as Shop),
			role: first?.role ?? "CASHIER",
			began: new Date().toISOString(),
			read: async (path, as) => {
				const answer = await server.ask("GET", path, {
					headers: as ? { cookie: as.cookie } : credentials,
				});
				if (!as) expectNothingOfOthers(scene, answer);
				return answer;
			},
		};
		const asked = this.kind.ask(scene, this.input);
		const [method = "", route = ""] = this.kind.operation.split(" ");
		const query = asked.query && new URLSearchParams(asked.query);
		const path = route.replace(":id", encodeURIComponent(asked.id ?? ""));
		const answer = await server.ask(method, query ? `${path}?${query}` : path, {
			headers: { ...asked.headers, ...credentials },
			body: asked.body,
		});
		const told = `${this.kind.operation} ${answer.status}`;
		world.answers.set(told, (world.answers.get(told) ?? 0) + 1);
		const refusal = this.refusalOf(person);
		if (refusal) expectRefusal(answer, ...refusal);
		else await this.kind.answered(scene, this.input, answer, asked);
		// Calls without an account concern no business.
		if (this.access !== "anyone") expectNothingOfOthers(scene, answer);
	}

	private credentialsOf(person: Person | undefined): Record<string, string> {
		if (!person || this.access === "anyone") return {};
		return this.byCookie
			? { cookie: person.cookie }
			: { authorization: person.bearer };
	}

	/** The expected refusal of the caller's role or credentials, if any. */
	private refusalOf(person: Person | undefined): [number, string] | undefined {
		if (this.access === "anyone") return undefined;
		const isByCookieAlone = /Session$/.test(this.access);
		if (!person || person.isDisabled || (isByCookieAlone && !this.byCookie))
			return [401, "Unauthorized"];
		if (this.access === "adminSession")
			return person.isAdmin ? undefined : [403, "Forbidden"];
		if (this.access !== "userSession" && person.memberships.length === 0)
			return [401, "No business membership"];
		return undefined;
	}

	toString(): string {
		return `${this.kind.operation} ${JSON.stringify(this.input)} by ${this.who}${this.byCookie ? " in a browser" : ""}`;
	}
}

/** Waits for the next millisecond, so that calls have an order in time. */
async function nextMoment(): Promise<void> {
	const now = Date.now();
	while (Date.now() === now) await sleep(1);
}

/** Checks that an answer names no record of a business that the caller isn't a member of. */
function expectNothingOfOthers(
	{ world, person, memberships }: Scene,
	{ text }: Answer,
): void {
	if (person?.isAdmin) return;
	const own = new Set(memberships.map(({ shop }) => shop));
	const told = [...own].flatMap(({ sent }) => [...sent]);
	const others = world.shops.filter((shop) => !own.has(shop));
	for (const id of idsOf(others))
		if (text.includes(id) && !told.includes(id))
			throw new Error(`The answer names ${id} of another business: ${text}`);
}

function idsOf(shops: Shop[]): string[] {
	return shops.flatMap((shop) => [
		shop.id,
		...shop.categories.map(({ id }) => id),
		...shop.products.map(({ id }) => id),
		...shop.sales.flatMap(({ id, items }) => [
			id,
			...items.map((item) => item.id).filter((one) => one.length > 30),
		]),
		...shop.refunds.map(({ id }) => id),
		...shop.reviews.map(({ id }) => id),
		...shop.keys.map(({ id }) => id),
	]);
}
