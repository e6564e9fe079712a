import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { nodeVersion } from "./node-binary.ts";
import type { Origin } from "./origin.ts";
import {
	packages,
	packagesOfWebApp,
	root,
	shipped,
} from "./shipped-packages.ts";

interface Bill {
	serialNumber: string;
	metadata: { timestamp: string; component: object; [field: string]: unknown };
	components: { "bom-ref": string; [field: string]: unknown }[];
	dependencies: { ref: string; dependsOn: string[] }[];
	[field: string]: unknown;
}

/** What the release is made of, as CycloneDX: the server's packages, those that the web app carries, and Node. */
export function billOf({ version, commit, seconds }: Origin): Bill {
	const own = `counterfoil@${version}`;
	const bill: Bill = JSON.parse(
		execFileSync(
			"npm",
			["sbom", "--sbom-format=cyclonedx", "--package-lock-only"],
			{ cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 },
		),
	);
	const kept = new Set(
		[...shipped, ...packagesOfWebApp()].map(
			(path) =>
				`${path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)}@${packages[path]?.version}`,
		),
	);
	const node = `node@${nodeVersion}`;
	const parts = bill.components.filter((part) => kept.has(part["bom-ref"]));
	return {
		...bill,
		// npm makes a random one at each run.
		serialNumber: `urn:uuid:${hash("sha256", commit).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5")}`,
		metadata: {
			...bill.metadata,
			timestamp: new Date(seconds * 1000).toISOString(),
			component: {
				...bill.metadata.component,
				...{ "bom-ref": own, type: "application", name: "counterfoil" },
				...{ version, purl: `pkg:npm/${own}` },
			},
		},
		components: [
			...parts,
			{
				...{ "bom-ref": node, type: "platform", name: "node" },
				...{ version: nodeVersion, purl: `pkg:generic/${node}` },
			},
		],
		dependencies: [
			{ ref: own, dependsOn: [...kept, node].sort() },
			...bill.dependencies
				.filter(({ ref }) => kept.has(ref))
				.map(({ ref, dependsOn }) => ({
					ref,
					dependsOn: dependsOn.filter((one) => kept.has(one)),
				})),
		],
	};
}
