import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const together = speakChatCompletions({
	id: "together",
	name: "Together",
	baseUrl: "https://api.together.ai/v1",
	takes: [...commonFields, "n", "logit_bias", "reasoning_effort"],
	adjust(body, { params: { optional }, report }) {
		// Together refuses strict tools.
		if (!optional.tools?.some((tool) => tool.function.strict != null)) return;
		body.tools = optional.tools.map(
			({ function: { strict: _, ...declared }, ...tool }) => ({
				...tool,
				function: declared,
			}),
		);
		report("strict=dropped");
	},
});
