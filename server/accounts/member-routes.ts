import * as z from "zod";
import { managing, roles } from "../../sync/entities/entity.ts";
import { timestamp } from "../../sync/entities/fields.ts";
import { deviceList } from "../../sync/queries/device.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";
import { accountFields } from "./auth-routes.ts";
import { isBearer } from "./authenticator.ts";
import { members } from "./members.ts";
import { setSession } from "./session-cookie.ts";
import { assertFreeEmail, createUser, findAccount } from "./users.ts";

const role = z.enum(roles);
const member = z
	.object({
		userId: z.string(),
		name: z.string(),
		email: z.string(),
		role,
		disabled: z.boolean(),
		createdAt: timestamp,
	})
	.meta({ id: "Member" });

const createBody = z.object({ ...accountFields, role });
const updateBody = z.object({
	role: role.optional(),
	disabled: z.boolean().optional(),
	password: accountFields.password.optional(),
});

/** Routes of the business's members and devices: owners change them, managers can read them. */
export function memberRoutes(deps: Deps): Routes {
	const { shop, passwords, adminEmails } = deps;
	const { store, env } = shop;

	async function read({ businessId }: Caller, id: string) {
		const all = await store.read((tx) => members(tx).list(businessId));
		const found = all.find(({ userId }) => userId === id);
		if (!found) throw new HttpError(404, "Member not found");
		return found;
	}

	return {
		"/api/members": {
			GET: operation({
				summary: "List the members",
				access: "member",
				roles: managing,
				answers: { 200: z.object({ members: z.array(member) }) },
				async handle({ caller, response }) {
					const { businessId } = caller;
					const all = await store.read((tx) => members(tx).list(businessId));
					response.json({ members: all });
				},
			}),

			POST: operation({
				summary: "Add a member with a new account",
				access: "member",
				roles: ["OWNER"],
				body: createBody,
				failures: [409, 429],
				answers: { 201: member },
				async handle({ caller, body, request, response }) {
					const { name, email, password, role } = body;
					await deps.registrationLimit.count(request.ip);
					await assertFreeEmail(store, email, adminEmails);
					const passwordHash = await passwords.hash(password);
					const { id } = await createUser(
						store,
						env,
						{ email, name, passwordHash },
						{ businessId: caller.businessId, role },
					);
					response.status(201).json(await read(caller, id));
				},
			}),
		},

		"/api/members/:id": {
			PATCH: operation({
				summary: "Change a member's role or password, or disable their account",
				access: "member",
				roles: ["OWNER"],
				body: updateBody,
				failures: [409],
				answers: { 200: member },
				async handle({ caller, id, body, request, response }) {
					await read(caller, id);
					const passwordHash =
						body.password === undefined
							? undefined
							: await passwords.hash(body.password);
					await store.write((tx) =>
						members(tx).change(caller.businessId, id, {
							role: body.role,
							disabled: body.disabled,
							passwordHash,
							now: env.now(),
						}),
					);
					const changed = await read(caller, id);
					// Users who change their own password stay signed in here, and nowhere else.
					const isOwn = id === caller.userId && passwordHash !== undefined;
					if (isOwn && !isBearer(request.headers.authorization)) {
						// An administrator with the same email is somebody else.
						const own = await findAccount(store, changed.email, new Set());
						if (own) await setSession(request, response, deps.tokens, own);
					}
					response.json(changed);
				},
			}),

			DELETE: operation({
				summary: "Remove a member from the business",
				access: "member",
				roles: ["OWNER"],
				failures: [409],
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ caller, id, response }) {
					await read(caller, id);
					await store.write((tx) =>
						members(tx).remove(caller.businessId, id, env.now()),
					);
					response.json({ ok: true });
				},
			}),
		},

		"/api/devices": { GET: queryOperation(shop, deviceList) },
	};
}
