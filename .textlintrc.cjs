const { join } = require("node:path");

/** Phrases that make a native reader stop, with the plain way to say it. */
const phrases = [
	["all the same", "anyway"],
	["anew|afresh", "again"],
	["of (?:its|their|his|her|my|our) own", "own, separate or another"],
	["who(?:ever|soever)", "the noun: a cashier, the owner, a client"],
	[
		"(?:is|are|was|were|be|been) told(?! apart)",
		"who tells whom: notify, report, hear",
	],
	["(?:is|are|was|were) no longer so", "what changed"],
	["nothing of (?:it|them|this|that)", "none, or who does what"],
	["(?:for|in) want of", "without"],
	["let alone", "much less, or leave it out"],
	[
		"thereby|whereby|herein|hitherto|lest|forthwith|upon",
		"plain words: by, so that, on",
	],
	["in order to", "to"],
	["utilize|utilise", "use"],
	["due to the fact that|owing to", "because"],
	["at this point in time", "now"],
	["stands? (?:beside|under|above) each other", "align"],
	["comes? to nothing", "fails"],
	["(?:sees?|saw) to it", "ensure"],
	["that which|he who|they who|those who", "the noun"],
	["keepers? of secrets", "OS keychain"],
	["(the|a|an|of|to|and|in|is|for) \\1", "it once"],
].map(([phrase, better]) => ({
	pattern: `/\\b(?:${phrase})\\b/i`,
	message: `Write ${better}`,
}));

/** What write-good calls wordy or weak and is exact here: fields, quantities, operators, paper. */
const exact = [
	...[
		"a number of",
		"adjustment",
		"all of",
		"allOf",
		"are a number",
		"as to",
		"few",
	],
	...["broken record", "completely", "equivalent", "for the duration of"],
	...["however", "in between", "is a number", "it is", "it was", "many"],
	...["maximum", "minimum", "mostly", "multiple", "on a roll", "requirement"],
	...["several", "type of", "typeof", "validate"],
];

module.exports = {
	plugins: { [join(__dirname, ".textlint/code.js")]: true },
	rules: {
		"@textlint-rule/pattern": { patterns: phrases },
		"write-good": {
			// A passive, an adverb or a "There is" is plain where it carries the meaning.
			passive: false,
			adverb: false,
			illusion: false,
			so: false,
			thereIs: false,
			whitelist: exact.flatMap((it) => [it, it[0].toUpperCase() + it.slice(1)]),
		},
	},
};
