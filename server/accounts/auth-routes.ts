import * as z from "zod";
import {
	currency,
	requiredText,
	timeZone,
} from "../../sync/entities/fields.ts";
import type { Deps } from "../deps.ts";
import { strangersBodyMaxBytes } from "../http/body.ts";
import { orAbsent, requirement } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { logSession } from "../http/refusals.ts";
import { isText, isTooLong } from "./passwords.ts";
import { register } from "./register.ts";
import { user } from "./tokens.ts";
import { normalEmail } from "./users.ts";

const passwordMin = 8;
const nameRequired = requirement("Name is required");
const nameTooLong = requirement(
	"Name must be well-formed, 200 characters at most",
);
const emailInvalid = requirement("Enter a valid email address");
const passwordTooShort = requirement(
	`Password must be at least ${passwordMin} characters`,
);
const passwordTooLong = requirement("Password must be at most 72 bytes");
const passwordNoText = requirement("Password must be well-formed text");
const nameField = requiredText(200);

/** An account's fields, validated in the order and with the messages of the API's contract. */
export const accountFields = {
	name: z
		.string(nameRequired)
		.trim()
		.min(1, nameRequired)
		.refine((name) => nameField.safeParse(name).success, nameTooLong),
	email: z
		.string(emailInvalid)
		.transform(normalEmail)
		.pipe(z.email(emailInvalid).max(254, emailInvalid)),
	password: z
		.string(passwordTooShort)
		.min(passwordMin, passwordTooShort)
		.refine((password) => !isTooLong(password), passwordTooLong)
		.refine(isText, passwordNoText),
};

const registrationFields = z.object({
	...accountFields,
	businessName: z
		.preprocess(
			(name) => (typeof name === "string" && name.trim()) || undefined,
			nameField.optional(),
		)
		.optional(),
	currency: orAbsent(currency),
	timeZone: orAbsent(timeZone),
});

/** An account with its first business; currency and time zone are optional extensions of the contract. */
export const registration = registrationFields.transform(toRegistration);

/** Required unless the request comes from this machine. */
export const setupCode = z.string().max(100).nullish();

/** The first account on a server. */
export const setup = registrationFields
	.extend({ setupCode })
	.transform(({ setupCode, ...fields }) => ({
		...toRegistration(fields),
		setupCode,
	}));

function toRegistration({
	businessName,
	currency = "KES",
	timeZone = "Africa/Nairobi",
	...account
}: z.output<typeof registrationFields>) {
	return {
		...account,
		business: {
			name: businessName ?? `${account.name}'s Business`,
			currency,
			timeZone,
		},
	};
}

/** Any value is accepted and compared, so that all wrong credentials fail in the same way. */
const anyText = z.unknown().optional().meta({ type: "string" });
export const credentials = z.object({ email: anyText, password: anyText });

/** Routes of registration and sign-in with a token. */
export function authRoutes(deps: Deps): Routes {
	const { tokens } = deps;
	return {
		"/api/auth/mobile-login": {
			POST: operation({
				summary: "Sign in to get a bearer token for 30 days",
				access: "anyone",
				fromAnySite: true,
				body: credentials,
				bodyMaxBytes: strangersBodyMaxBytes,
				answers: { 200: z.object({ token: z.string(), user }) },
				failures: [401, 429],
				async handle({ body, request, response }) {
					const found = await deps.signIn(body, request.ip ?? "");
					logSession(deps.log, request, found.user.id, "Signed in");
					const token = await tokens.sign(found, "bearer");
					response.json({ token, user: found.user });
				},
			}),
		},

		"/api/auth/register": {
			POST: operation({
				summary: "Register an account with its first business",
				access: "anyone",
				body: registration,
				bodyMaxBytes: strangersBodyMaxBytes,
				failures: [409, 429],
				answers: {
					201: z.object({
						id: z.string(),
						email: z.string(),
						name: z.string(),
						businessId: z.string(),
					}),
				},
				async handle({ body, request, response }) {
					const made = await register(deps, body, { address: request.ip });
					const { id, email, name, businessId } = made.user;
					response.status(201).json({ id, email, name, businessId });
				},
			}),
		},
	};
}
