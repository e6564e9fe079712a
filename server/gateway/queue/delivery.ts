import { createHmac, randomBytes } from "node:crypto";
import * as z from "zod";
import type { Connection } from "../../../sync/store/store.ts";
import { Agent } from "../agent.ts";
import { exchange, readBody } from "../exchange.ts";
import { lookupPublic, mayBePublic } from "./addresses.ts";

/** What the owner of a business set for deliveries. */
interface DeliverySetting {
	/** Answers go to these addresses and to those below them. */
	to: string[];
	/** Makes the secret, which can't be computed without the server's. */
	seed: string;
}

const setting = z.object({ to: z.array(z.string()), seed: z.string() });

export const deliverTo = z
	.array(
		z
			.url({ protocol: /^https?$/ })
			.max(2_000)
			.refine((text) => {
				const url = URL.parse(text);
				if (!url) return false;
				const { username, password, search, hash } = url;
				return username + password + search + hash === "";
			}, "must be without a user name, a password, a query and a fragment"),
	)
	.max(20);

/** The addresses to which answers of a business's queued requests may be delivered. */
export function aiDelivery(tx: Connection, businessId: string) {
	return {
		async find(): Promise<DeliverySetting> {
			const row = await tx.get(
				"SELECT delivery FROM ai_access WHERE business_id = ?",
				businessId,
			);
			return typeof row?.delivery === "string"
				? setting.parse(JSON.parse(row.delivery))
				: { to: [], seed: "" };
		},

		/** Changes the addresses if they are defined, and makes a new secret for the first ones or when asked to. */
		async change(
			to: string[] | undefined,
			{ hasNewSecret = false } = {},
		): Promise<void> {
			if (to === undefined && !hasNewSecret) return;
			const before = await this.find();
			const isNew = hasNewSecret || before.seed === "";
			const after: DeliverySetting = {
				to: to ?? before.to,
				seed: isNew ? randomBytes(16).toString("base64url") : before.seed,
			};
			await tx.run(
				`INSERT INTO ai_access (business_id, delivery) VALUES (?, ?)
         ON CONFLICT (business_id) DO UPDATE SET delivery = excluded.delivery`,
				businessId,
				JSON.stringify(after),
			);
		},
	};
}

/** @returns whether the address is one of those allowed, or below it */
export function isAllowedAddress(
	address: string,
	{ to }: Pick<DeliverySetting, "to">,
): boolean {
	const url = URL.parse(address);
	return (
		url !== null &&
		url.username + url.password === "" &&
		to.some((allowed) => {
			const { origin, pathname } = new URL(allowed);
			return (
				url.origin === origin &&
				(url.pathname === pathname ||
					url.pathname.startsWith(pathname.replace(/\/?$/, "/")))
			);
		})
	);
}

const deliveryMs = 15_000;
/** What is read of a receiver's answer, which says nothing. */
const answerMaxBytes = 16_384;

export type Courier = ReturnType<typeof openCourier>;

/**
 * Delivers answers as Standard Webhooks says: signed, each time with the same id.
 *
 * @param secret the server's, from which those of the businesses are made
 * @param isLanAllowed also delivers to private networks, and over http
 */
export function openCourier(secret: Uint8Array, isLanAllowed: boolean) {
	const agent = new Agent({
		connect: {
			timeout: deliveryMs,
			...(isLanAllowed ? {} : { lookup: lookupPublic }),
		},
		connections: 4,
	});

	function keyOf(businessId: string, { seed }: DeliverySetting): Buffer {
		return createHmac("sha256", secret)
			.update(JSON.stringify(["ai delivery", businessId, seed]))
			.digest();
	}

	return {
		/** @returns why an address can't be delivered to; undefined if it may be */
		objectionTo(address: string): string | undefined {
			const url = new URL(address);
			if (isLanAllowed) return undefined;
			if (url.protocol !== "https:") return "must begin with https://";
			return mayBePublic(url) ? undefined : "is in a private network";
		},

		/** The secret in the form of Standard Webhooks, for the owner's eyes; null while there is none. */
		secretOf(businessId: string, from: DeliverySetting): string | null {
			return from.seed === ""
				? null
				: `whsec_${keyOf(businessId, from).toString("base64")}`;
		},

		/** @returns the receiver's status @throws if it can't be reached */
		async deliver(
			address: string,
			{ id, text, now }: { id: string; text: string; now: number },
			of: { businessId: string; setting: DeliverySetting },
			signal: AbortSignal,
		): Promise<number> {
			const { origin, pathname, search } = new URL(address);
			const at = String(Math.floor(now / 1_000));
			const signature = createHmac("sha256", keyOf(of.businessId, of.setting))
				.update(`${id}.${at}.${text}`)
				.digest("base64");
			const request = {
				origin,
				path: pathname + search,
				method: "POST",
				headers: {
					"content-type": "application/json",
					"user-agent": "counterfoil",
					"webhook-id": id,
					"webhook-timestamp": at,
					"webhook-signature": `v1,${signature}`,
				},
				body: text,
			} as const;
			const answer = await exchange(
				agent,
				request,
				AbortSignal.any([signal, AbortSignal.timeout(deliveryMs)]),
			);
			await readBody(answer, answerMaxBytes);
			return answer.status;
		},

		close: () => agent.destroy(),
	};
}
