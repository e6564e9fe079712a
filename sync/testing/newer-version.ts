import {
	appendFileSync,
	cpSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Mutation } from "../entities/entity.ts";
import { testDir } from "./shop.ts";

const root = join(import.meta.dirname, "../..");
/** The source of an entity of the next version. */
const shelfSource = join(
	import.meta.dirname,
	"../fixtures/next-version/shelf.txt",
);

/** The parts of another version of this program that tests use. */
interface OtherVersion {
	shops: typeof import("./shop.ts");
	stockAdjust: Mutation;
	shelfCreate: Mutation;
}

const shelvesTable = `CREATE TABLE shelves (
  business_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL,
  version BIGINT NOT NULL, deleted BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (business_id, id)
);\n`;

/**
 * Builds a possible next version of the core in a copy of the tree: with an entity, a column, a value of a closed list,
 * a mutation and an argument that this version does not know.
 */
export async function openNewerVersion(): Promise<OtherVersion> {
	const dir = testDir();
	cpSync(join(root, "sync"), join(dir, "sync"), {
		recursive: true,
		filter: (path) => !path.endsWith(".test.ts"),
	});
	cpSync(join(root, "schema.sql"), join(dir, "schema.sql"));
	cpSync(join(root, "package.json"), join(dir, "package.json"));
	symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
	const at = (path: string) => join(dir, path);
	cpSync(shelfSource, at("sync/entities/shelf.ts"));
	change(at("sync/entities/index.ts"), {
		"export const entities: readonly Entity[] = [": `import { shelf, shelfCreate } from "./shelf.ts";\n$&\n\tshelf,`,
		"const all = [": "$&\n\tshelfCreate,",
	});
	change(at("sync/entities/inbox.ts"), {
		'\t"clock",\n': `$&\t"shelf_added",\n`,
	});
	change(at("sync/entities/product.ts"), {
		"\tbusinessId: recordId,": "\torigin: text(50).nullable(),\n$&",
		"\t\t\tisActive: true,": '\t\t\torigin: "Kenya",\n$&',
	});
	change(at("sync/entities/stock.ts"), {
		'\tname: "stock.adjust",': "$&\n\tsince: { supplier: 2 },",
		"\t\tnote: stockMovementRow.shape.note.default(null),":
			"$&\n\t\tsupplier: stockMovementRow.shape.note.unwrap().optional(),",
		"await moveStock(context, args);":
			"const { supplier, ...movement } = args;\n\t\tawait moveStock(context, { ...movement, note: supplier ?? movement.note });",
	});
	appendFileSync(at("schema.sql"), shelvesTable);
	change(at("schema.sql"), { "  image_url TEXT,": "  origin TEXT,\n$&" });
	writeFileSync(
		at("sync/store/migrations/9999-shelves.sql"),
		`${shelvesTable}ALTER TABLE products ADD COLUMN origin TEXT;\n`,
	);
	const load = (path: string) =>
		import(/* @vite-ignore */ pathToFileURL(at(path)).href);
	const [shops, { stockAdjust }, { shelfCreate }] = await Promise.all([
		load("sync/testing/shop.ts"),
		load("sync/entities/stock.ts"),
		load("sync/entities/shelf.ts"),
	]);
	return { shops, stockAdjust, shelfCreate };
}

/** Replaces parts of a file, all of which must exist. */
function change(file: string, replacements: Record<string, string>): void {
	let text = readFileSync(file, "utf8");
	for (const [part, replacement] of Object.entries(replacements)) {
		if (!text.includes(part)) throw new Error(`${file} has no "${part}"`);
		text = text.replace(part, replacement);
	}
	writeFileSync(file, text);
}
