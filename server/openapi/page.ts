import { escapeHtml as text } from "../../sync/receipts/html.ts";
import type { JsonSchema, OpenApi } from "./document.ts";

/** Renders the OpenAPI document as one self-contained page without scripts. */
export function toPage(
	{ info, paths, components }: OpenApi,
	nonce: string,
): string {
	const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
		Object.entries(byMethod).map(([method, operation]) => ({
			path,
			method: method.toUpperCase(),
			...operation,
		})),
	);
	const byTag = Map.groupBy(operations, ({ tags }) => tags[0] ?? "");
	const sections = [...byTag].map(
		([tag, members]) => `
    <section id="${text(tag)}">
      <h2>${text(tag)}</h2>${members.map(toArticle).join("")}
    </section>`,
	);
	const schemas = Object.entries(components.schemas).map(
		([name, schema]) => `
      <article id="schema-${text(name)}">
        <h3>${text(name)}</h3>
        ${toBlock(schema)}
      </article>`,
	);
	const links = [...byTag.keys(), "schemas"].map(
		(tag) => `<li><a href="#${text(tag)}">${text(tag)}</a></li>`,
	);
	return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${text(info.title)} API</title>
    <style nonce="${text(nonce)}">${style}</style>
  </head>
  <body>
    <nav aria-label="Resources"><ul>${links.join("")}</ul></nav>
    <main>
      <h1>${text(info.title)} API <small>${text(info.version)}</small></h1>
      <p>${text(info.description)}</p>
      <p>A bearer token comes from <a href="#auth"><code>POST /api/auth/mobile-login</code></a>, a session cookie from
        signing in at <code>/login</code>. Every failure is <code>{"error": "…"}</code>. For programs:
        <a href="/api/openapi.json">openapi.json</a>.</p>${sections.join("")}
      <section id="schemas">
        <h2>schemas</h2>${schemas.join("")}
      </section>
    </main>
  </body>
</html>
`;
}

type Described = OpenApi["paths"][string][string];

function toArticle({
	method,
	path,
	summary,
	security,
	parameters,
	requestBody,
	responses,
}: Described & { method: string; path: string }): string {
	const query = parameters.filter((parameter) => parameter.in === "query");
	const asked = Object.fromEntries(
		query.map(({ name, schema }) => [name, schema]),
	);
	const required = query
		.filter((parameter) => parameter.required)
		.map(({ name }) => name);
	const accepted = security.map((scheme) =>
		"bearer" in scheme ? "bearer token" : "session cookie",
	);
	const parts = [
		query.length > 0
			? `<h4>Query</h4>${toBlock({ type: "object", properties: asked, required })}`
			: "",
		...contents("Body", requestBody?.content),
		...Object.entries(responses).flatMap(
			([status, { description, content }]) =>
				isFailure(content)
					? []
					: content
						? contents(`${status} ${description}`, content)
						: [`<h4>${text(`${status} ${description}`)}</h4>`],
		),
	];
	const failures = Object.entries(responses)
		.filter(([, { content }]) => isFailure(content))
		.map(([status, { description }]) =>
			status === "default" ? "" : `${status} ${description}`,
		)
		.filter((failure) => failure !== "");
	return `
      <article>
        <h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${text(path)}</code></h3>
        <p>${text(summary)}.</p>
        <p class="access">${accepted.length > 0 ? `For a ${accepted.join(" or a ")}` : "For anyone"}${failures.length > 0 ? ` · fails with ${text(failures.join(", "))}` : ""}</p>
        ${parts.join("")}
      </article>`;
}

function isFailure(content: Described["responses"][string]["content"]) {
	return (
		content?.["application/json"]?.schema.$ref === "#/components/schemas/Error"
	);
}

function contents(
	title: string,
	content: Described["responses"][string]["content"] = {},
): string[] {
	return Object.entries(content).map(([media, { schema }]) =>
		media === "application/json"
			? `<h4>${text(title)}</h4>${toBlock(schema)}`
			: `<h4>${text(title)} <small>${text(media)}</small></h4>`,
	);
}

function toBlock(schema: JsonSchema): string {
	const description = schema.description
		? `<p>${text(String(schema.description))}</p>`
		: "";
	return `${description}<pre>${toType(schema, "")}</pre>`;
}

/** Renders a schema as a TypeScript type, such as `name?: string | null`, with links to named schemas. */
function toType(schema: JsonSchema, indent: string): string {
	const {
		$ref,
		anyOf,
		type,
		items,
		properties,
		required,
		enum: values,
	} = schema;
	if (typeof $ref === "string") {
		const name = $ref.split("/").at(-1) ?? "";
		return `<a href="#schema-${text(name)}">${text(name)}</a>`;
	}
	if ("const" in schema) return text(JSON.stringify(schema.const));
	if (Array.isArray(values))
		return text(values.map((value) => JSON.stringify(value)).join(" | "));
	if (Array.isArray(anyOf))
		return anyOf.map((one) => toType(one, indent)).join(" | ");
	if (type === "array")
		return `${toType((items ?? {}) as JsonSchema, indent)}[]${limits(schema)}`;
	if (properties) {
		const lines = Object.entries(properties).map(([name, property]) => {
			const optional =
				Array.isArray(required) && required.includes(name) ? "" : "?";
			return `${indent}  ${text(name)}${optional}: ${toType(property, `${indent}  `)}\n`;
		});
		return `{\n${lines.join("")}${indent}}${limits(schema)}`;
	}
	const name = Array.isArray(type) ? type.join(" | ") : (type ?? "any");
	return `${text(String(name))}${limits(schema)}`;
}

const limitNames: Record<string, string> = {
	format: "",
	pattern: "matches ",
	minimum: "from ",
	maximum: "up to ",
	minLength: "characters from ",
	maxLength: "characters up to ",
	minItems: "items from ",
	maxItems: "items up to ",
	default: "default ",
};

function limits(schema: JsonSchema): string {
	const said = Object.entries(limitNames).flatMap(([key, words]) =>
		schema[key] === undefined || schema[key] === null
			? []
			: [`${words}${schema[key]}`],
	);
	const { examples = [] } = schema as { examples?: unknown[] };
	said.push(...examples.map((it) => `such as ${JSON.stringify(it)}`));
	return said.length > 0
		? ` <span class="limits">${text(said.join(", "))}</span>`
		: "";
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0; display: grid; grid-template-columns: 13rem minmax(0, 56rem); gap: 2rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 1.5rem; }
  nav ul { list-style: none; margin: 0; padding: 0; }
  nav a { display: block; padding: .2rem 0; text-decoration: none; }
  main { padding: 1.5rem 1.5rem 6rem 0; }
  a { color: #1d6f42; }
  h2 { margin: 3rem 0 1rem; padding-bottom: .3rem; border-bottom: 1px solid #8886; }
  article { margin: 0 0 2rem; }
  h3 { margin: 0 0 .3rem; font-size: 1.05rem; overflow-wrap: anywhere; }
  h4 { margin: .8rem 0 .3rem; font-size: .9rem; }
  p { margin: .2rem 0; }
  small { font-weight: normal; opacity: .7; }
  .access, .limits { opacity: .7; font-size: .85rem; }
  .method { display: inline-block; min-width: 4rem; padding: .1rem .4rem; border-radius: .3rem; color: #fff; font-size: .8rem; text-align: center; }
  .get { background: #1b6ca8; } .post { background: #1d6f42; } .patch { background: #8a5a00; } .delete { background: #b03a2e; }
  pre { margin: 0; padding: .7rem 1rem; border-radius: .4rem; background: #8881; overflow: auto; font-size: .85rem; line-height: 1.45; }
  @media (max-width: 50rem) { body { display: block; } nav { position: static; } main { padding: 1.5rem; } }
  @media (prefers-color-scheme: dark) { a { color: #7fd1a4; } }`;
