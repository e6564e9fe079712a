// Words in many languages. cspell:disable
import type { ChatRequest } from "../chat.ts";

/** What a request asks of a model: `plain` of any that answers well, `usual` of a good one, `hard` of a strong one. */
export type Difficulty = "plain" | "usual" | "hard";

/** Texts longer than this are judged by their beginning and end, where what is wanted stands. */
const readMax = 6_000;
const shortWords = 12;
const manyNumbers = 4;
/** Prompts of at least this many tokens are harder to keep in mind. */
const longTokens = 30_000;
/** What makes a task hard: one strong sign, or two weak ones. */
const hardScore = 2;

/** Whole words, in the languages that most callers write. `*` stands for any ending. */
const words = (...lists: string[]) =>
	new RegExp(
		`(?<!\\p{L})(?:${lists.join(" ").replaceAll("*", "\\p{L}*").replaceAll(/\s+/g, "|")})(?!\\p{L})`,
		"giu",
	);

/** What is written in programs and formulas, proofs, and the weighing of one thing against another. */
const strongSigns: RegExp[] = [
	/```|\b(?:def|class|function|import|const|let|var|fn|func)\s+\w+\s*[({:=]|=>|\bSELECT\b[\s\S]+\bFROM\b|Traceback/g,
	// Names as programs have them, such as useEffect, full_name and RWMutex, but not WhatsApp.
	/\b[a-z]+[A-Z]\w*\b|\b[A-Z]{2,}[a-z]\w+\b|\b[a-z]+_[a-z_]+\b|\b\w+\(\)/g,
	/[∑∫√≤≥∀∃≠≡²³]|\w\^\w|\b\d*[a-z]\s?[-+*/=]\s?\d/g,
	words(
		"debug* refactor* algorithm* deadlock* prove* proof* theorem* lemma fallac* analy[sz]e* analysis compar* evaluat* critique criti[cs]* diagnos* trade-off*",
		"thibitisha linganisha chambua démontr* prouv* analys* évalu* demuestr* demostr* analiz* evalú*",
		"beweis* vergleich* bewert* докаж* сравн* проанализ* оцени* analis* avali*",
	),
	/证明|比较|分析|评估|सिद्ध|तुलना|विश्लेषण|أثبت|قارن|حلل/gu,
	/step by step|show that|race condition|hatua kwa hatua|étape par étape|paso a paso|Schritt für Schritt|passo a passo|一步一步|خطوة بخطوة/giu,
];

/** Subjects in which a weak model errs, calculations, and questions after reasons. */
const weakSigns: RegExp[] = [
	words(
		"why explain* propose* premise* experiment* design* architect* strateg* plan forecast* optimi[sz]* hypothes* assumption* argument* uncertain* risk* cause* logs?",
		"mpango kwa\\snini pourquoi explique* différence* stratégie* conç* diseñ* estrategia* riesgo* plan* warum entwirf unterschied strategie* risik* почему объясни* стратег* porquê",
	),
	words(
		"bug* code regex* expression* SQL Python JavaScript TypeScript Rust Java React database* schema migration* index* quer(?:y|ies) component* dependency render* thread* goroutine* mutex async* runtime recursi* API endpoint* server* complexity journal* fsync* replicat* concurren* lock* cache*",
		"código base\\sde\\sdonné* base\\sde\\sdatos datenbank* réplication msimbo программ* код",
	),
	words(
		"calculat* comput* derive[ds]? work\\sout how\\smany how\\smuch formula* estimat* fit trend* residual* regression varianc* deviat* average* mean distribut* probabilit* equation* integral* prime* infinit* per\\scent percent* linear*",
		"hesabu ngapi jumla calcul* combien moyenne écart probabilit* cuánt* cálcul* media desviación probabilidad berechn* wie\\sviele mittel* wahrscheinlich* leite сколько вычисл* вероятн* quant[oa]s calcul*",
	),
	words(
		"tax taxes VAT PAYE interest loan* profit* depreciat* amorti[sz]* margin* elasticity* break-even reconcil* cash\\sflow lease*",
		"contract* clause* law* legal* liab* right?s court* negotiat* kodi riba faida mkopo mikopo mkataba haki TVA impôt* intérêt* prêt* contrat* droit* juridique* impuesto* IVA interés préstamo*",
		"Steuer* Zins* Gewinn* Kredit* Vertrag* Recht* налог* процент* кредит* договор* прав[ао] imposto* juros* contrato*",
	),
	/为什么|设计|税|利息|折旧|合同|方程|概率|计算|多少|क्यों|ब्याज|कर की|अनुबंध|गणना|कितन|لماذا|خطة|مخاطر|ضريبة|عقد|احسب/gu,
	/%/g,
	// A second question in the same sentence.
	/(?<!\p{L})(?:and|und|et|y|na|e)\s(?:at\s|in\s|by\s)?(?:how|what|which|why|when|where|welche\w*|wie|was|comment|quel\w*|cómo|qué|cuándo|jinsi|nini|como)(?!\p{L})/giu,
	// Names of errors and settings.
	/\b[A-Z]{6,}\b/g,
];

/** Routine, which small models do well, and greetings. */
const plainSigns: RegExp[] = [
	words(
		"translat* rephrase* reword* proofread* spelling grammar shorter shorten* extract* classif* categori[sz]* label* sort list table translate format capitals summari[sz]* convert*",
		"tafsiri fupisha orodhesha tradui* résum* corrig* extrai* traduce* resum* extrae* clasific* übersetz* korrigier* переведи* сократи* исправь* traduz*",
		"hi hello hey thanks habari jambo asante hujambo bonjour merci salut hola gracias hallo danke привет спасибо olá obrigad*",
	),
	/翻译|总结|分类|提取|你好|谢谢|अनुवाद|सारांश|निकालें|नमस्ते|धन्यवाद|ترجم|لخص|صنف|استخرج|مرحبا|شكرا/gu,
];

/**
 * Judges what a request asks for by its nature: what the last user message wants, the effort that is named, tools and form. Its
 * length alone says little.
 *
 * @param promptTokens the estimate
 */
export function difficultyOf(
	request: ChatRequest,
	promptTokens: number,
): Difficulty {
	const { reasoning_effort: effort = "", tools = [] } = request;
	if (["high", "xhigh", "max"].includes(effort)) return "hard";
	const text = lastQuestion(request);
	const hard =
		hardScore * signsIn(text, strongSigns) +
		signsIn(text, weakSigns) +
		Number((text.match(/\d[\d.,]*/g)?.length ?? 0) >= manyNumbers) +
		Number((text.match(/[?？؟]/g)?.length ?? 0) >= 3) +
		Number(tools.length > 3) +
		Number(promptTokens > longTokens);
	const plain =
		hardScore * signsIn(text, plainSigns) +
		Number(request.response_format?.type === "json_schema") +
		Number(["none", "minimal", "low"].includes(effort));
	if (hard >= hardScore && hard > plain) return "hard";
	if (tools.length > 0) return "usual";
	return plain > hard || (hard === 0 && isShort(text)) ? "plain" : "usual";
}

/** How many different signs a text has. */
function signsIn(text: string, signs: readonly RegExp[]): number {
	const found = signs.flatMap((sign) => text.match(sign) ?? []);
	return new Set(found.map((one) => one.toLowerCase())).size;
}

/** Chinese and Japanese have no spaces: two of their characters count as a word. */
function isShort(text: string): boolean {
	const dense = text.match(/[\u3040-\u30ff\u4e00-\u9fff]/g)?.length ?? 0;
	return text.split(/\s+/).length + dense / 2 <= shortWords;
}

/** The text of the last user message. */
function lastQuestion({ messages }: ChatRequest): string {
	const last = messages.findLast(({ role }) => role === "user");
	const { content } = last ?? {};
	const text =
		typeof content === "string"
			? content
			: (content ?? [])
					.map((part) => (part.type === "text" ? part.text : ""))
					.join("\n");
	return text.length <= readMax
		? text
		: `${text.slice(0, readMax / 2)}\n${text.slice(-readMax / 2)}`;
}
