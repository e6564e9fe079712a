import { expect, test } from "vitest";
import { escapeHtml } from "./html.ts";

test("escaped text is safe in an element and in a quoted attribute", () => {
	expect(escapeHtml(`<b title="1" id='2'>Tea & milk</b>`)).toBe(
		"&lt;b title=&quot;1&quot; id=&#39;2&#39;&gt;Tea &amp; milk&lt;/b&gt;",
	);
});
