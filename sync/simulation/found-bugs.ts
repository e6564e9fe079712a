import type { Mistake } from "./mistakes.ts";

/**
 * Bugs that the simulator found, put back in place, each with the shortest script that shows it; a seed would stop
 * showing it whenever the simulation learns a new step. If a script no longer does, `catch-mistakes.ts 9000 NAME`
 * searches for a seed. Tests in `connect.test.ts` and `heal.test.ts` show what the first three did to a shop.
 */
export const foundBugs: readonly Mistake[] = [
	{
		name: "a shop that joins is out of sight until its server's own is there",
		file: "replica/connect.ts",
		find: "if (table === business.table) continue;",
		replace: `if (table === business.table) {
			await tx.run("INSERT INTO base_rows (business_id, entity, id, data) VALUES (?, ?, ?, NULL)", to, name, to);
			continue;
		}`,
		script: {
			seed: 890,
			tills: 1,
			faults: {
				loseReply: 0.12519980099750683,
				smallPages: 0.2332557697664015,
			},
			steps: [
				{ name: "joins", wait: 113, seed: 569545449 },
				{ name: "sells", wait: 20574, seed: 295677663 },
				{ name: "joins", wait: 6821481, seed: 1812767859 },
				{ name: "joins", wait: 9669599, seed: 2012739407 },
				{ name: "syncs", wait: 3308757, seed: 2129577799 },
			],
		},
	},
	{
		name: "products that sold equally well are in any order",
		file: "queries/tallies.ts",
		// biome-ignore-start lint/suspicious/noTemplateCurlyInString: quotes source text
		find: "DESC, product_id LIMIT ${limit} + (",
		replace: "DESC LIMIT ${limit} + (",
		// biome-ignore-end lint/suspicious/noTemplateCurlyInString: quotes source text
		script: {
			seed: 5892,
			tills: 1,
			faults: {},
			steps: [
				{ name: "sells", wait: 2894965, seed: 361662714 },
				{ name: "sellsOnServer", wait: 14696, seed: 1340226370 },
				{ name: "sells", wait: 12971, seed: 458360081 },
				{ name: "sells", wait: 5957445, seed: 1364004429 },
			],
		},
	},
	{
		name: "a sale of two dates is offered under one id",
		file: "log/lost-facts.ts",
		find: "derivedId(row.id as string, text)",
		replace: "derivedId(row.id as string, 0)",
		script: {
			seed: 304448,
			tills: 2,
			faults: { smallBodies: 0.17261928308289498 },
			steps: [
				{ name: "backsUp", wait: 4877208, seed: 1388901234 },
				{ name: "sellsOnServer", wait: 12828, seed: 2027993088 },
				{ name: "sellsOnServer", wait: 3742029, seed: 729891728 },
				{ name: "sells", wait: 129, seed: 1446815767 },
				{ name: "sells", wait: 50829, seed: 1579294921 },
				{ name: "isCloned", wait: 18438, seed: 2067401169 },
				{ name: "sells", wait: 286, seed: 808347215 },
				{ name: "syncs", wait: 7094551, seed: 832593204 },
				{ name: "serverClockJumps", wait: 10518176, seed: 1131730559 },
				{ name: "serverIsRestored", wait: 17725, seed: 1657328432 },
				{ name: "syncs", wait: 19004, seed: 1748636889 },
				{ name: "syncs", wait: 105, seed: 241034684 },
				{ name: "serverIsRestored", wait: 112293, seed: 5136212 },
				{ name: "syncs", wait: 2563250944, seed: 417861021 },
			],
		},
	},
	{
		name: "a server put back to an older copy prints its own numbers again",
		file: "log/server-writes.ts",
		find: "derivedId(epoch, run)",
		replace: "epoch",
		script: {
			seed: 414264,
			tills: 1,
			faults: {},
			steps: [
				{ name: "backsUp", wait: 3068, seed: 52763118 },
				{ name: "sellsOnServer", wait: 16624, seed: 1043550976 },
				{ name: "syncs", wait: 130904, seed: 2071718230 },
				{ name: "serverIsRestored", wait: 25251, seed: 335942613 },
				{ name: "serverGoesBack", wait: 6320810, seed: 1930989592 },
				{ name: "sellsOnServer", wait: 3332603749, seed: 235829811 },
			],
		},
	},
	{
		name: "a server put back to an older copy gives a till's prefix to another",
		file: "log/devices.ts",
		find: "const given =",
		replace:
			"const given = taken.size > 0 ? String.fromCharCode(65 + taken.size) :",
		script: {
			seed: 503,
			tills: 1,
			faults: {},
			steps: [
				{ name: "copiesServer", wait: 14897, seed: 1802789033 },
				{ name: "joins", wait: 10203327, seed: 741567148 },
				{ name: "joins", wait: 33, seed: 2006744195 },
				{ name: "serverGoesBack", wait: 6642978, seed: 1562799740 },
				{ name: "sells", wait: 6278530043, seed: 1758175649 },
				{ name: "joins", wait: 6659245, seed: 1533199056 },
			],
		},
	},
	{
		name: "a batch that is read ahead forgets the one before it in what it settles",
		file: "replica/push-outbox.ts",
		find: "const standing = await readStanding(tx, sentAfter, last);",
		replace: "const standing = await readStanding(tx, after, last);",
		script: {
			seed: 771030,
			tills: 1,
			faults: {},
			steps: [
				{ name: "takesCash", wait: 5113437, seed: 2146685898 },
				{ name: "serverFaults", wait: 2341792, seed: 1023595730 },
				{ name: "takesCash", wait: 20138, seed: 1938603811 },
				{ name: "takesCash", wait: 5883, seed: 255283977 },
				{ name: "sellsOnServer", wait: 19598, seed: 487422263 },
				{ name: "syncs", wait: 297, seed: 316600156 },
				{ name: "sells", wait: 66, seed: 1125710372 },
				{ name: "changesTaxes", wait: 0, seed: 1199870289 },
				{ name: "syncs", wait: 89803, seed: 71512143 },
				{ name: "changesTaxes", wait: 0, seed: 1270377376 },
				{ name: "sells", wait: 208, seed: 2125885614 },
				{ name: "rowsRot", wait: 25678, seed: 226463271 },
			],
			snapshots: 0.5412464989349246,
			windows: 0.04862358421087265,
		},
	},
	{
		name: "a batch that is read ahead does not name what the one before it brought",
		file: "replica/push-outbox.ts",
		find: "read.standing.taken = lastApplied(answer) ?? read.standing.taken;",
		replace: "",
		script: {
			seed: 5000253,
			tills: 2,
			faults: {},
			steps: [
				{ name: "buysGoods", wait: 2253556, seed: 1967528388 },
				{ name: "takesCash", wait: 2232183, seed: 428614579 },
				{ name: "lends", wait: 0, seed: 1373153952 },
				{ name: "comparesRows", wait: 0, seed: 215928768 },
				{ name: "copiesServer", wait: 11422871, seed: 1874527638 },
				{ name: "keepsGoods", wait: 0, seed: 1259484886 },
				{ name: "importsStatement", wait: 20909, seed: 805619375 },
				{ name: "syncs", wait: 626448, seed: 273895208 },
				{ name: "serverGoesBack", wait: 132, seed: 975287977 },
			],
			snapshots: 0.32473041652701795,
			windows: 0.5755029541905969,
		},
	},
	{
		name: "a sale that was let go with a damaged item of the inbox stays away",
		file: "replica/window.ts",
		find: " && healedAt === healed?.at",
		replace: "",
		script: {
			seed: 5001893,
			tills: 1,
			faults: { smallBodies: 0.1380777333979495 },
			steps: [
				{ name: "countsStock", wait: 337926, seed: 508959286 },
				{ name: "changesTaxes", wait: 0, seed: 1394839675 },
				{ name: "worksDrawer", wait: 0, seed: 542416994 },
				{ name: "changesTaxes", wait: 0, seed: 692768869 },
				{ name: "changesTaxes", wait: 153, seed: 887974491 },
				{ name: "lends", wait: 0, seed: 1507670813 },
				{ name: "serverClockJumps", wait: 1220, seed: 615546151 },
				{ name: "syncs", wait: 17312, seed: 42459094 },
				{ name: "sells", wait: 30, seed: 1181292147 },
				{ name: "buysGoods", wait: 0, seed: 587360148 },
				{ name: "lends", wait: 0, seed: 1624449160 },
				{ name: "rowsRot", wait: 7015226, seed: 777634316 },
			],
			snapshots: 0.13134465855546296,
			windows: 0.402419812977314,
		},
	},
];
