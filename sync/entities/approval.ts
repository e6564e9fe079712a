import * as z from "zod";
import { clockSlackMs } from "../log/dating.ts";
import { toIso } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import { canonicalJson } from "../protocol/json.ts";
import type { Connection } from "../store/store.ts";
import { business } from "./business.ts";
import { type Context, managing, type Role } from "./entity.ts";
import { amount, recordId, timestamp } from "./fields.ts";
import { approvedByPin, type InboxConcern } from "./inbox.ts";
import { sumOfProducts, toDecimal } from "./money.ts";
import { unitsOf } from "./pack-row.ts";
import { lowerRole } from "./permission.ts";
import type { RoleLimits } from "./role-limits.ts";

/*
 * What goes beyond its maker's limits. Goods and money have changed hands by then, so nothing is refused: it becomes an item
 * of the inbox, with the amount at stake. A PIN of somebody who may do it settles the item before it is opened. The PIN signs
 * this one act, so the log can show years later who approved what.
 */

/** Somebody's leave to go beyond one's limits, for one record and up to one amount. */
export const approval = z
	.strictObject({
		by: recordId,
		amount,
		at: timestamp,
		/** Ed25519 over `approvedText`, in hexadecimal, under the key of the approver's PIN. */
		signature: z.string().regex(/^[0-9a-f]{128}$/),
	})
	.meta({ id: "Approval" });
export type Approval = z.output<typeof approval>;

/** What an approval is for. */
interface ApprovedAct {
	/** The mutation's name. */
	act: string;
	/** The record that it makes. */
	id: string;
	by: string;
	/** In decimals. */
	amount: number;
	at: string;
}

/** The text that an approval signs: all that it allows. */
export function approvedText(approved: ApprovedAct): string {
	return canonicalJson(approved);
}

/** Something that a member does, as far as limits are concerned. */
interface Act {
	act: string;
	id: string;
	approval?: Approval | undefined;
	/** Returns what goes beyond some limits, each with the amount at stake. */
	beyond(limits: RoleLimits): InboxConcern[];
}

/**
 * Returns what goes beyond its maker's limits: settled if an approval covers it, else open, and with `bad_approval` if it
 * came with one that does not.
 *
 * @throws ShopError `needs_approval` at a till where somebody could approve it
 */
export async function limitConcerns(
	context: Context,
	act: Act,
): Promise<InboxConcern[]> {
	const limits = await limitsOf(context);
	const concerns = limits ? act.beyond(limits) : [];
	if (concerns.length === 0) return [];
	const atStake = concerns.reduce((sum, one) => sum + (one.amount ?? 0), 0);
	const { userId } = context;
	const notice = { act: act.act, id: act.id, userId, amount: atStake };
	const { approval } = act;
	if (approval && (await isApproved(context, act, approval, atStake))) {
		const { by } = approval;
		await context.notify({ code: "approved", approver: by, ...notice });
		const settled = { resolution: approvedByPin, decidedBy: by };
		return concerns.map((one) => ({
			...{ ...one, ...settled, decidedAt: context.at },
		}));
	}
	if (context.asksApproval && (await canBeApproved(context, act)))
		throw new ShopError(
			"needs_approval",
			"Goes beyond the limits of its maker: needs the PIN of somebody who may do it",
			undefined,
			{ amount: toDecimal(atStake) },
		);
	await context.notify({ code: "over_limit", ...notice });
	return approval
		? [...concerns, { cause: "bad_approval", amount: atStake }]
		: concerns;
}

/**
 * Returns the limits of the one who makes it, or of the session that brings it without a proof, whichever role may do less:
 * otherwise any name would do.
 */
async function limitsOf(context: Context): Promise<RoleLimits | undefined> {
	let lower: Role | undefined;
	for (const id of [context.userId, context.carrierId]) {
		const role = id === null ? undefined : await roleOrLeast(context, id);
		if (role) lower = lower ? lowerRole(lower, role) : role;
	}
	return lower && limitsOfRole(context, lower);
}

/** Returns a member's role. Nobody knows what a former member's was, so that it is the one that may do least. */
async function roleOrLeast(
	context: Context,
	userId: string,
): Promise<Role | undefined> {
	const role = await roleOf(context, userId);
	if (role || !context.isServers) return role;
	const former = await context.all(
		"SELECT 1 AS found FROM former_members WHERE business_id = ? AND user_id = ?",
		context.businessId,
		userId,
	);
	return former.length > 0 ? "CASHIER" : undefined;
}

async function limitsOfRole(
	context: Context,
	role: Role,
): Promise<RoleLimits | undefined> {
	const shop = await context.find(business, context.businessId);
	return shop?.limits?.find((one) => one.role === role);
}

async function roleOf(
	{ all, businessId }: Context,
	userId: string,
): Promise<Role | undefined> {
	const [found] = await all(
		"SELECT role FROM memberships WHERE business_id = ? AND user_id = ?",
		businessId,
		userId,
	);
	return found?.role as Role | undefined;
}

/** Returns true if a member of a role may do it without anybody's approval. */
async function mayDo(context: Context, act: Act, role: Role | undefined) {
	if (!role || !managing.includes(role)) return false;
	const limits = await limitsOfRole(context, role);
	return !limits || act.beyond(limits).length === 0;
}

/** Returns true if somebody who may do it has a PIN here. */
async function canBeApproved(context: Context, act: Act): Promise<boolean> {
	const found = await context.all(
		`SELECT DISTINCT role FROM staff_keys JOIN memberships ON memberships.business_id = staff_keys.business_id
       AND memberships.user_id = staff_keys.user_id WHERE staff_keys.business_id = ?`,
		context.businessId,
	);
	for (const { role } of found)
		if (await mayDo(context, act, role as Role)) return true;
	return false;
}

/**
 * Checks an approval. A till believes its own until the server, which has all keys, answers.
 *
 * @param atStake in millionths
 */
async function isApproved(
	context: Context,
	act: Act,
	{ by, amount, at, signature }: Approval,
	atStake: number,
): Promise<boolean> {
	if (amount < atStake) return false;
	if (!(await mayDo(context, act, await roleOf(context, by)))) return false;
	if (!context.isServers) return true;
	const signed = { by, at, amount: toDecimal(amount), signature };
	const { businessId } = context;
	return isSigned(context, businessId, {
		...{ ...signed, act: act.act, id: act.id, madeAt: context.at },
	});
}

/**
 * Returns true if an approval's signature is under a key that is its approver's, or was at its moment and at that of the act:
 * who knows an old PIN can sign any moment.
 */
export async function isSigned(
	tx: Pick<Connection, "all">,
	businessId: string,
	{
		signature,
		madeAt,
		...approved
	}: ApprovedAct & { signature: string; madeAt: string },
): Promise<boolean> {
	const text = approvedText(approved);
	const { by, at } = approved;
	// Loaded when it is needed: few shops do, and a browser's till never.
	const { isSignedBy } = await import("../protocol/pin-key.ts");
	// A clock may be wrong, so that the present key counts for any moment.
	const heldUntil = toIso(Date.parse(madeAt) - clockSlackMs);
	const keys = await tx.all(
		`SELECT public_key FROM staff_keys WHERE business_id = ? AND user_id = ?
     UNION ALL SELECT public_key FROM former_staff_keys WHERE business_id = ? AND user_id = ? AND retired_at >= ? AND retired_at >= ?`,
		...[businessId, by],
		...[businessId, by, at, heldUntil],
	);
	return keys.some(({ public_key }) =>
		isSignedBy(public_key as string, text, signature),
	);
}

/** A line of a sale, as far as limits are concerned. */
export interface LimitedLine {
	productId: string | null;
	quantity: number;
	packSize?: number | undefined;
	price: number;
	/** The price of the product or pack; null without one, and where an older price was right. */
	sellingPrice: number | null;
}

/** Returns which lines of a sale go beyond limits. */
export function linesBeyond(
	lines: readonly LimitedLine[],
	{ discountMax, openItemMax }: RoleLimits,
): InboxConcern[] {
	const concerns: InboxConcern[] = [];
	for (const line of lines) {
		const { productId, quantity, price, sellingPrice } = line;
		if (productId === null) {
			const amount = sumOfProducts([{ price, quantity }]);
			if (openItemMax !== undefined && amount > openItemMax)
				concerns.push({ cause: "open_item_over_limit", quantity, amount });
			continue;
		}
		if (sellingPrice === null || discountMax === undefined) continue;
		const off = sellingPrice - price;
		if (off <= 0 || isWithin(off, discountMax, sellingPrice)) continue;
		const amount = sumOfProducts([{ price: off, quantity }]);
		concerns.push({
			...{ cause: "discount_over_limit", productId, amount },
			quantity: unitsOf(line),
		});
	}
	return concerns;
}

/** @param max in percent of the whole, in millionths */
function isWithin(part: number, max: number, whole: number): boolean {
	return BigInt(part) * 100_000_000n <= BigInt(max) * BigInt(whole);
}

/** Returns in what a refund or void goes beyond limits. */
export function takingBackBeyond(
	{
		kind,
		amount,
		before,
	}: {
		kind: "refund" | "void";
		amount: number;
		/** What was given back for the same sale before. */
		before: number;
	},
	isOthers: boolean,
	limits: RoleLimits,
): InboxConcern[] {
	const max = kind === "void" ? limits.voidMax : limits.refundMax;
	if (isOthers && limits.mayTakeBackOthers === false)
		return [{ cause: "others_sale_taken_back", amount }];
	if (max === undefined || before + amount <= max) return [];
	return [{ cause: `${kind}_over_limit`, amount }];
}

/** Returns in what cash that was moved without a sale, or opening the drawer, goes beyond limits. */
export function cashBeyond(
	{
		kind,
		amount,
		shiftId,
	}: { kind: string; amount: number; shiftId?: string | undefined },
	{ cashOutMax, mayOpenDrawer }: RoleLimits,
): InboxConcern[] {
	if (kind !== "cash")
		return kind === "drawer" && mayOpenDrawer === false
			? [{ cause: "drawer_opened", shiftId }]
			: [];
	if (cashOutMax === undefined || -amount <= cashOutMax) return [];
	return [{ cause: "cash_over_limit", amount: -amount, shiftId }];
}
