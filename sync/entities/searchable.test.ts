// Words in many languages. cspell:disable
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { migrate } from "../store/migrate.ts";
import { olderSchema } from "../testing/older-schema.ts";
import { searchable } from "./searchable.ts";

test("names are searched in any case and without accents, in every alphabet", () => {
	expect(searchable("ÉCLAIR Ж ＡＢ")).toBe("eclair ж ab");
	expect(searchable("Crème brûlée, Smørrebrød, Straße, Phở, İzmir")).toBe(
		"creme brulee, smorrebrod, strasse, pho, izmir",
	);
	expect(searchable("ﬁne")).toBe("fine");
	// Only in Greek is the last letter of a word another character.
	expect(searchable("ΣΙΣΥΦΟΣ")).toContain(searchable("ΣΙΣ"));
	expect(searchable("Σίσυφος")).toBe("σισυφοσ");
	// These marks make other letters.
	for (const word of ["мой", "が", "สวัสดี", "हिन्दी", "مُدَرِّس"])
		expect(searchable(word)).toBe(word.normalize("NFC"));
});

test("names from before accents were forgiven are brought to the same form", async () => {
	const letters = [
		[0xc0, 0x24f],
		[0x370, 0x3ff],
		[0x1e00, 0x1fff],
	].flatMap(([from = 0, to = 0]) =>
		Array.from({ length: to - from + 1 }, (_, i) =>
			String.fromCodePoint(from + i),
		),
	);
	const name = `${letters.join("")} Мой кофе`;
	const db = new Database(":memory:");
	for (const sql of olderSchema(37)) db.exec(sql);
	const before = name.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");
	for (const table of ["products", "customers"])
		db.prepare(
			`INSERT INTO ${table} (business_id, id, name, search_name, created_at, updated_at, version) VALUES ('shop', 'one', ?, ?, '', '', 1)`,
		).run(name, before);
	await migrate(db);
	for (const table of ["products", "customers"])
		expect(
			db
				.prepare(`SELECT search_name FROM ${table} WHERE id = 'one'`)
				.pluck()
				.get(),
		).toBe(searchable(name));
	db.close();
});
