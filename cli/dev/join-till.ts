import { once } from "node:events";
import { saleCreate } from "../../sync/entities/sale.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";

/** What the joining till says: when it had sold, when it had everything, and its digest once it was asked to end. */
export type JoinReport =
	| { what: "sold"; ms: number }
	| { what: "whole"; ms: number; peakBytes: number; databaseBytes: number }
	| { what: "digest"; digest: string; ms: number };

/*
 * A new till in its own process, for the benchmark of joining: it sells once it can, gets the history, and waits for a
 * message to sync once more and to tell its digest.
 */

const [url = "", token = "", businessId = "", file = "", windowDays] =
	process.argv.slice(2);
const tell = (report: JoinReport) => process.send?.(report);

const started = performance.now();
const store = await openSqlite(file);
const till = await openReplica({
	store,
	businessId,
	transport: httpTransport({ baseUrl: url, businessId, token: () => token }),
	windowDays: windowDays === undefined ? undefined : Number(windowDays),
});
const since = (from: number) => performance.now() - from;
await till.sync({ leavesHistory: true });
await till.mutate(
	{ businessId, userId: null, role: "OWNER", deviceId: null },
	saleCreate,
	{
		id: newId(systemEnv),
		items: [{ id: "1", name: "Sold", quantity: 1, price: 50, cost: 40 }],
	},
);
tell({ what: "sold", ms: since(started) });
await till.bringHistory();
const peakBytes = process.resourceUsage().maxRSS * 1_024;
const ms = since(started);
const size = await store.read((tx) =>
	tx.get(
		"SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
	),
);
tell({ what: "whole", ms, peakBytes, databaseBytes: Number(size?.bytes) });
await once(process, "message");
await till.sync();
const asked = performance.now();
const digest = await till.digest();
tell({ what: "digest", digest, ms: since(asked) });
await store.close();
process.disconnect();
