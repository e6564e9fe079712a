import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openLentFiles } from "./lent-files.ts";

/** Two databases that differ in nothing but a row, which isn't in the first page. */
function makeImages(): string[] {
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-lent-"));
	onTestFinished(() => rmSync(dir, { recursive: true }));
	const images = ["one", "two"].map((name) => join(dir, `${name}.db`));
	const [one, two] = images as [string, string];
	const change = (file: string, sql: string) => {
		const db = new Database(file);
		db.pragma("journal_mode = WAL");
		db.exec(sql);
		db.close();
	};
	change(one, "CREATE TABLE t (x); INSERT INTO t VALUES ('one')");
	copyFileSync(one, two);
	change(two, "UPDATE t SET x = 'two'");
	return images;
}

test("each borrower of a file reads the image that it was lent with", () => {
	const [one, two] = makeImages() as [string, string];
	const files = openLentFiles(join(one, ".."));
	for (const [i, image] of [one, two, one, two].entries()) {
		const x = image === one ? "one" : "two";
		const file = files.lend(image);
		const writer = file.open(file.path, {});
		const reader = file.open(file.path, { readonly: true });
		for (const db of [reader, writer])
			expect(db.prepare("SELECT x FROM t").get()).toEqual({ x });
		// The reader's next look is the one at the next image.
		writer.prepare("UPDATE t SET x = 'sold'").run();
		// Since a log began again, no part of a log is random.
		if (i === 0) writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
		for (const db of [reader, writer]) db.close();
	}
	files.close();
});
