import { verifyLog } from "../../sync/log/verify-log.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import {
	type ApprovedMutation,
	type LoggedMutation,
	type MutationDetails,
	mutationAbout,
	mutationApproved,
	mutationGet,
	mutationList,
} from "../../sync/queries/mutation.ts";
import type { Shop } from "../../sync/shop.ts";
import { Command, toCount } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { asOwner, withBusiness } from "./open-shop.ts";
import { printRecord, printRows } from "./print.ts";

interface Options {
	business?: string;
	json?: boolean;
}
interface ShowOptions extends Options {
	limit: number;
}

export function logCommand(): Command {
	const show = businessSubcommand("show")
		.description("List a shop's latest mutations, newest first")
		.option("--limit <count>", "how many to list", toCount, 20)
		.examples("counterfoil log show --limit 50")
		.action(showLog);
	const one = businessSubcommand("explain")
		.description(
			"Show what a mutation did, who made it, on which device, when it arrived, and its outcome",
		)
		.argument(
			"<id>",
			"the id of a mutation, or of a record such as a sale to see all mutations that name it",
		)
		.examples("counterfoil log explain 019f3c…")
		.action(explainOne);
	const approvals = businessSubcommand("approvals")
		.description(
			"List what a PIN let go beyond its maker's limits, newest first, and check each signature again",
		)
		.option("--limit <count>", "how many to list", toCount, 20)
		.examples("counterfoil log approvals --limit 50")
		.action(showApprovals);
	const verify = businessSubcommand("verify")
		.description(
			"Check the log's hash chain and name the first broken link. Exits with 1 if there is one",
		)
		.examples("counterfoil log verify")
		.action(verifyChain);
	return new Command("log")
		.description("Read and verify the log of all mutations in a shop")
		.addCommand(show)
		.addCommand(one)
		.addCommand(approvals)
		.addCommand(verify);
}

function businessSubcommand(name: string): Command {
	return new Command(name).ofBusiness().printsJson();
}

async function showLog({ business, limit, json }: ShowOptions): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const entries: LoggedMutation[] = [];
		const pages = pagesOf(
			shop,
			asOwner(businessId),
			mutationList,
			{},
			{ limit },
		);
		for await (const page of pages) entries.push(...page);
		if (json) console.log(JSON.stringify(entries, null, 2));
		else
			printRows(
				entries.map((entry) => ({
					id: entry.id,
					received: entry.receivedAt,
					who: whoOf(entry.user),
					"brought by": whoOf(entry.carrier),
					device: deviceOf(entry),
					status: entry.status,
					what: entry.what,
				})),
				{ empty: "The log is empty" },
			);
	});
}

async function showApprovals({
	business,
	limit,
	json,
}: ShowOptions): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const asker = asOwner(businessId);
		const entries: ApprovedMutation[] = [];
		const pages = pagesOf(shop, asker, mutationApproved, {}, { limit });
		for await (const page of pages) entries.push(...page);
		if (json) console.log(JSON.stringify(entries, null, 2));
		else
			printRows(
				entries.map(({ approval, ...entry }) => ({
					id: entry.id,
					made: entry.at,
					who: whoOf(entry.user),
					"approved by": approval && whoOf(approval.by),
					"up to": approval?.amount ?? null,
					signed: approval?.isSigned ? "yes" : "NO",
					what: entry.what,
				})),
				{ empty: "No approvals" },
			);
	});
}

async function explainOne(id: string, options: Options): Promise<void> {
	await withBusiness(options.business, async (shop, businessId) => {
		const found = await explain(shop, asOwner(businessId), id);
		if (found.length === 0)
			throw new CommandError(
				`No mutation has or names the id ${id}; "counterfoil log show" lists the latest`,
			);
		if (options.json) console.log(JSON.stringify(found, null, 2));
		else found.forEach(printMutation);
	});
}

/** @returns the mutation with this id, if there is one, then the mutations that name a record with this id */
async function explain(
	shop: Shop,
	asker: ReturnType<typeof asOwner>,
	id: string,
): Promise<MutationDetails[]> {
	const { mutations } = await shop.ask(asker, mutationAbout, { recordId: id });
	try {
		const others = mutations.filter((mutation) => mutation.id !== id);
		return [await shop.ask(asker, mutationGet, { id }), ...others];
	} catch (error) {
		if (error instanceof ShopError && error.code === "not_found")
			return mutations;
		throw error;
	}
}

async function verifyChain({ business, json }: Options): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const { bad, ...counts } = await shop.store.read((tx) =>
			verifyLog(tx, businessId),
		);
		printRecord(
			{ businessId, whole: !bad, ...counts, ...bad },
			json ? { json } : {},
		);
		if (bad) process.exitCode = 1;
	});
}

function printMutation(entry: MutationDetails, index: number): void {
	if (index > 0) console.log("");
	printRecord(
		{
			id: entry.id,
			mutation: entry.name,
			what: entry.what,
			who: whoOf(entry.user),
			"brought by": whoOf(entry.carrier),
			device: deviceOf(entry),
			made: entry.at,
			"by the till's clock": entry.deviceAt,
			received: entry.receivedAt,
			status: entry.status,
			...(entry.error
				? { refused: `${entry.error.code}: ${entry.error.message}` }
				: { version: entry.version }),
			...(entry.approval && {
				"approved by": `${whoOf(entry.approval.by)}, up to ${entry.approval.amount}, ${entry.approval.isSigned ? "signed" : "NOT SIGNED"}`,
			}),
			"last to change":
				entry.changed.map(({ entity, id }) => `${entity} ${id}`).join(", ") ||
				null,
			arguments: JSON.stringify(entry.args),
		},
		{},
	);
}

function whoOf(user: LoggedMutation["user"]): string | null {
	if (user === null) return null;
	return user.name === null ? user.id : `${user.name} <${user.email}>`;
}

function deviceOf({ device }: LoggedMutation): string {
	if (device === null) return "the server";
	return device.prefix === null
		? device.id
		: `till ${device.prefix} (${device.id})`;
}
