import {
	folderVariable,
	hasPostgres,
	makeFolder,
	removeCluster,
} from "./postgres-cluster.ts";

/** Gives a test run a folder for PostgreSQL, and stops the cluster that was started there. */
export default function setup(): (() => Promise<void>) | undefined {
	if (!hasPostgres) return undefined;
	const folder = makeFolder();
	process.env[folderVariable] = folder;
	return () => removeCluster(folder);
}
