import {
	folderVariable,
	hasPostgres,
	makeFolder,
	removeCluster,
} from "./postgres-cluster.ts";

/** Gives a run of the tests a folder for its PostgreSQL, and ends what was started there. */
export default function setup(): (() => Promise<void>) | undefined {
	if (!hasPostgres) return undefined;
	const folder = makeFolder();
	process.env[folderVariable] = folder;
	return () => removeCluster(folder);
}
