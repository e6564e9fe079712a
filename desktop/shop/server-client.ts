import * as z from "zod";
import { HttpError } from "../../server/http/http-error.ts";
import type { Role } from "../../sync/entities/entity.ts";
import { readRetryAfter } from "../../sync/protocol/retry-after.ts";
import { staffAnswer } from "../../sync/till/staff.ts";

/** A till's requests to the shop's server other than sync. */
interface ServerClient {
	/** @throws HttpError 401 for wrong credentials; 429 after too many attempts; 503 if the server can't be reached */
	signIn(credentials: { email: string; password: string }): Promise<SignedIn>;
	/** Whether its shop has neither products nor sales yet. @throws HttpError as above */
	isNew(token: string): Promise<boolean>;
	/** @returns undefined if the server can't be reached or refuses */
	readStaff(
		token: string | undefined,
	): Promise<z.output<typeof staffAnswer> | undefined>;
	/** @returns undefined if the server doesn't have the picture */
	readPicture(
		name: string,
		token: string | undefined,
	): Promise<Uint8Array | undefined>;
}

export interface SignedIn {
	token: string;
	user: { id: string; email: string; name: string; businessId: string };
	role: Role;
}

const signedIn = z.object({
	token: z.string(),
	user: z.object({
		id: z.string(),
		email: z.string(),
		name: z.string(),
		role: z.string(),
		businessId: z.string().nullable(),
	}),
});
const members = z.object({
	members: z.array(
		z.object({
			userId: z.string(),
			role: z.enum(["OWNER", "MANAGER", "CASHIER"]),
		}),
	),
});

const listed = z.array(z.unknown());
const sold = z.object({ total: z.number() });

const answerMs = 15_000;

export function openServerClient(address: string): ServerClient {
	async function ask(path: string, init: RequestInit): Promise<Response> {
		try {
			return await fetch(new URL(path, address), {
				...init,
				// The server never redirects: a redirect leads to a captive portal's sign-in page.
				redirect: "manual",
				signal: AbortSignal.timeout(answerMs),
			});
		} catch (cause) {
			throw new HttpError(503, `${address} can't be reached`, {
				code: "server_unreachable",
				cause,
			});
		}
	}

	/** Validates the response, since anything may answer at that address. */
	async function read<S extends z.ZodType>(
		response: Response,
		schema: S,
	): Promise<z.output<S>> {
		const body: unknown = await response.json().catch(() => undefined);
		const parsed = schema.safeParse(body);
		if (!response.ok || !parsed.success)
			throw new HttpError(503, `${address} is not a shop's server`, {
				code: "not_a_server",
			});
		return parsed.data;
	}

	/** Only owners and managers may list members; a member who may not is a cashier. */
	async function roleOf(token: string, userId: string): Promise<Role> {
		const response = await askAs(token, "/api/members");
		if (response.status === 403) return "CASHIER";
		const { members: all } = await read(response, members);
		return all.find((member) => member.userId === userId)?.role ?? "CASHIER";
	}

	function askAs(token: string | undefined, path: string): Promise<Response> {
		return ask(path, { headers: { authorization: `Bearer ${token}` } });
	}

	return {
		async isNew(token) {
			const products = await askAs(token, "/api/products?limit=1");
			const sales = await askAs(token, "/api/sales?limit=1");
			return (
				(await read(products, listed)).length === 0 &&
				(await read(sales, sold)).total === 0
			);
		},

		async readStaff(token) {
			try {
				return await read(await askAs(token, "/api/till/staff"), staffAnswer);
			} catch (error) {
				if (error instanceof HttpError) return undefined;
				throw error;
			}
		},

		async readPicture(name, token) {
			const response = await askAs(
				token,
				`/api/pictures/${encodeURIComponent(name)}`,
			);
			return response.ok
				? new Uint8Array(await response.arrayBuffer())
				: undefined;
		},

		async signIn(credentials) {
			const response = await ask("/api/auth/mobile-login", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify(credentials),
			});
			if (response.status === 401)
				throw new HttpError(401, "Invalid email or password", {
					code: "wrong_password",
				});
			const waitMs =
				readRetryAfter((name) => response.headers.get(name)) ?? 60_000;
			if (response.status === 429)
				throw new HttpError(429, "Too many failed sign-ins, try again later", {
					code: "too_many_tries",
					retryAfterSeconds: Math.ceil(waitMs / 1_000),
				});
			const { token, user } = await read(response, signedIn);
			const { businessId } = user;
			if (businessId === null)
				throw new HttpError(401, "No business membership", {
					code: "no_business",
				});
			const role = await roleOf(token, user.id);
			return { token, user: { ...user, businessId }, role };
		},
	};
}
