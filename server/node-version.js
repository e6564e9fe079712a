const needed = [22, 19];

/**
 * An older Node crashes in better-sqlite3 and does not run TypeScript.
 *
 * @param {string} version
 * @returns {boolean} true where the process must not go on; it then ends with status 1
 */
export function refuseOldNode(version = process.versions.node) {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const [needMajor = 0, needMinor = 0] = needed;
	if (major > needMajor || (major === needMajor && minor >= needMinor))
		return false;
	console.error(
		`Counterfoil needs Node ${needed.join(".")} or newer; this is ${version}. In a clone, "npm ci" brings one and "npm start" uses it; elsewhere, install Node 24.`,
	);
	process.exitCode = 1;
	return true;
}
