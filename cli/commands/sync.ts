import { existsSync } from "node:fs";
import { resolve } from "node:path";
import counterfoil from "../../package.json" with { type: "json" };
import { databaseFile } from "../../server/operations/database.ts";
import { type ErrorCode, ShopError } from "../../sync/protocol/errors.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica, type Replica } from "../../sync/replica/replica.ts";
import type { HttpTransport } from "../../sync/replica/transport.ts";
import { findDifferences } from "../../sync/replica/verify.ts";
import type { Store } from "../../sync/store/store.ts";
import { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { dataDirectory, withStore } from "./open-shop.ts";
import { printRecord, printRows, showProgress } from "./print.ts";
import { serverAddress, tokenFor } from "./sign-in.ts";

/** Exit status if the till and the server differ. */
const notInStep = 1;
const shownMax = 100;

interface Options {
	database?: string;
	server?: string;
	json?: boolean;
}

export function syncCommand(): Command {
	const status = replicaSubcommand("status")
		.description(
			"Show a till's pending and rejected mutations and when it last synced",
		)
		.examples("counterfoil sync status --database till.db")
		.action(showStatus);
	const push = serverSubcommand("push")
		.description(
			"Send a till's pending mutations and fetch the server's changes in the same request. Exits with 1 if a mutation stays pending or was rejected",
		)
		.examples(
			"counterfoil sync push --database till.db --server https://shop.example",
		)
		.action((options: Options) => syncNow(options, "push"));
	const pull = serverSubcommand("pull")
		.description(
			"Fetch the server's changes. Pending mutations are sent first, because the till reapplies them on top of the changes",
		)
		.examples(
			"counterfoil sync pull --database till.db --server https://shop.example",
		)
		.action((options: Options) => syncNow(options, "pull"));
	const verify = serverSubcommand("verify")
		.description(
			"Compare a till's database with its server without changing either, and list the rows that differ. Exits with 1 if there are any",
		)
		.examples(
			"counterfoil sync verify --database till.db --server https://shop.example",
		)
		.action(verifyReplica);
	return new Command("sync")
		.description("Sync a till's database with its server")
		.addCommand(status)
		.addCommand(push)
		.addCommand(pull)
		.addCommand(verify);
}

function replicaSubcommand(name: string): Command {
	return new Command(name)
		.option(
			"--database <file>",
			"the till's database (default: the one in DATA_DIR)",
		)
		.printsJson();
}

function serverSubcommand(name: string): Command {
	return replicaSubcommand(name).requiredOption(
		"--server <url>",
		'the server, such as https://shop.example; the token comes from COUNTERFOIL_TOKEN or "counterfoil login"',
	);
}

async function showStatus(options: Options): Promise<void> {
	await withReplica(options, async (store, businessId) => {
		const till = await openTill(store, businessId);
		const rejected = await till.rejected();
		const waiting = await till.waiting();
		const status = {
			businessId,
			...(await till.status()),
			waiting: waiting.length,
		};
		if (options.json) {
			printRecord({ ...status, waits: waiting, refusals: rejected }, options);
			return;
		}
		printRecord({ ...status, healed: wordsOf(status.healed) }, options);
		if (waiting.length + rejected.length === 0) return;
		console.log("");
		printRows(
			[...waiting, ...rejected].map(({ id, name, at, error }) => ({
				id,
				name,
				at,
				code: error.code,
				reason: error.message,
			})),
			{ empty: "" },
		);
	});
}

function wordsOf(
	healed: Awaited<ReturnType<Replica["status"]>>["healed"],
): string | null {
	return (
		healed &&
		`${healed.rows} records differed from the server and were put right at ${healed.at}`
	);
}

async function syncNow(options: Options, what: "push" | "pull"): Promise<void> {
	const open = transportFor(options);
	await withReplica(options, async (store, businessId) => {
		const { server, line } = open(businessId);
		const till = await openTill(store, businessId, line);
		// The server may have refused the last token; resume, because this command may have a new one.
		await till.resume();
		await till.sync().catch((error) => {
			throw withServerAdvice(error, server);
		});
		const { pending, rejected, lastSyncAt } = await till.status();
		printRecord({ businessId, server, pending, rejected, lastSyncAt }, options);
		if (what === "push" && pending + rejected > 0) process.exitCode = notInStep;
	});
}

async function verifyReplica(options: Options): Promise<void> {
	const open = transportFor(options);
	await withReplica(options, async (store, businessId) => {
		const { server, line } = open(businessId);
		const till = await openTill(store, businessId, line);
		const { pending, hasHistory } = await till.status();
		if (!hasHistory) {
			const differences: never[] = [];
			if (options.json)
				printRecord(
					{ inStep: false, hasHistory, pending, differences },
					options,
				);
			else
				console.log(
					'The till\'s older sales are still arriving; run "counterfoil sync pull", then verify again',
				);
			process.exitCode = notInStep;
			return;
		}
		try {
			const { inStep, differences } = await findDifferences(
				store,
				businessId,
				line,
				(rows) => showProgress(`${rows} rows compared`),
			);
			showProgress("");
			if (inStep) {
				if (options.json)
					printRecord({ inStep, pending, differences }, options);
				else console.log(`The till matches ${server}`);
				return;
			}
			printDifferences(differences, pending, options);
		} catch (error) {
			throw withServerAdvice(error, server);
		}
		process.exitCode = notInStep;
	});
}

function printDifferences(
	differences: Awaited<ReturnType<typeof findDifferences>>["differences"],
	pending: number,
	options: Options,
): void {
	if (options.json) {
		printRecord({ inStep: false, pending, differences }, options);
		return;
	}
	printRows(
		differences.slice(0, shownMax).map(({ fields, ...difference }) => ({
			...difference,
			fields: fields.join(", "),
		})),
		{ empty: "The server changed during the comparison; try again" },
	);
	if (differences.length > shownMax)
		console.error(
			`… and ${differences.length - shownMax} more; --json lists them all`,
		);
	console.error(
		pending > 0
			? `${pending} pending mutations may be the only difference: run "counterfoil sync push", then verify again`
			: 'Run "counterfoil sync pull" in case the till is only behind; if rows still differ, please report it as a bug',
	);
}

/** @throws CommandError if there is no token for the server */
function transportFor(
	options: Options,
): (businessId: string) => { server: string; line: HttpTransport } {
	const server = serverAddress(options.server ?? "");
	const token = tokenFor(server);
	return (businessId) => ({
		server,
		line: httpTransport({ baseUrl: server, businessId, token: () => token }),
	});
}

/** Opens the replica. @param line by default a transport that is never used, to read the replica only */
function openTill(
	store: Store,
	businessId: string,
	line = httpTransport({
		baseUrl: "http://localhost",
		businessId,
		token: () => undefined,
	}),
): Promise<Replica> {
	const { version: program } = counterfoil;
	return openReplica({ store, businessId, transport: line, program });
}

async function withReplica(
	options: Options,
	work: (store: Store, businessId: string) => Promise<void>,
): Promise<void> {
	const file =
		options.database === undefined
			? databaseFile({ dataDir: dataDirectory() })
			: resolve(options.database);
	if (!existsSync(file))
		throw new CommandError(
			`There is no database ${file}; name the till's with --database FILE`,
		);
	await withStore(file, async (store) => {
		const row = await store.read((tx) =>
			tx.get("SELECT business_id FROM replica"),
		);
		if (!row)
			throw new CommandError(
				`${file} is a server's database, not a till's; name the till's with --database FILE`,
			);
		await work(store, row.business_id as string);
	});
}

const adviceByCode: Partial<Record<ErrorCode, string>> = {
	unreachable: "nothing is lost; try again",
	unauthorized: 'sign in again with "counterfoil login"',
	wrong_business: 'sign in with an account of this shop: "counterfoil login"',
};

function withServerAdvice(error: unknown, server: string): unknown {
	const advice = error instanceof ShopError && adviceByCode[error.code];
	if (!advice) return error;
	return new CommandError(`${server}: ${error.message}; ${advice}`, {
		cause: error,
	});
}
