import type { Place } from "./words.ts";

/** By shell, what makes its script. Each walks the words that are typed along the commands there are. */
export const scripts: Record<string, (places: Place[]) => string> = {
	bash: toBash,
	zsh: toZsh,
	fish: toFish,
};

function toBash(places: Place[]): string {
	return `_counterfoil() {
  local at="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${steps(places)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${valued(places)
	.map(
		([at, values]) => `    ${quote(at)}) words=${quote(values.join(" "))} ;;`,
	)
	.join("\n")}
    *)
      case "$at" in
${places
	.map(({ path, words, options }) => {
		const all = [...words, ...options].map(({ text }) => text).join(" ");
		return `        ${quote(prefixed(path))}) words=${quote(all)} ;;`;
	})
	.join("\n")}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _counterfoil counterfoil
`;
}

function toZsh(places: Place[]): string {
	const described = (word: { text: string; description: string }) =>
		quote(`${word.text.replaceAll(":", "\\:")}:${word.description}`);
	return `#compdef counterfoil
_counterfoil() {
  local at="" word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${steps(places)}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valued(places)
	.map(([at, values]) =>
		values.length === 0
			? `    ${quote(at)}) _files; return ;;`
			: `    ${quote(at)}) compadd -- ${values.map(quote).join(" ")}; return ;;`,
	)
	.join("\n")}
  esac
  case "$at" in
${places
	.map(
		({ path, words, options }) =>
			`    ${quote(prefixed(path))}) found=(${[...words, ...options].map(described).join(" ")}) ;;`,
	)
	.join("\n")}
  esac
  _describe counterfoil found || _files
}
compdef _counterfoil counterfoil
`;
}

function toFish(places: Place[]): string {
	const lines = places.flatMap(({ path, words, options }) => {
		const here = `complete -c counterfoil -n '__counterfoil_at "${prefixed(path)}"'`;
		return [
			...words.map(
				({ text, description }) =>
					`${here} -f -a ${quote(text)} -d ${quote(description)}`,
			),
			...options.map(({ text, description, values }) => {
				const name = `-l ${text.replace(/^--/, "")} -d ${quote(description)}`;
				if (values === undefined) return `${here} ${name}`;
				return values.length === 0
					? `${here} ${name} -r`
					: `${here} ${name} -x -a ${quote(values.join(" "))}`;
			}),
		];
	});
	return `function __counterfoil_at
  set -l at ""
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${stepsOf(places).map(quote).join(" ")}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** What is typed up to a place, with a blank before each word. */
function prefixed(path: string): string {
	return path === "" ? "" : ` ${path}`;
}

function stepsOf(places: Place[]): string[] {
	return places.map(({ path }) => prefixed(path)).filter((path) => path !== "");
}

function steps(places: Place[]): string {
	return stepsOf(places).map(quote).join("|");
}

/** Options that take a value, each with the place where it is typed and the values it may have. */
function valued(places: Place[]): [at: string, values: readonly string[]][] {
	return places.flatMap(({ path, options }) =>
		options.flatMap(({ text, values }) =>
			values === undefined
				? []
				: [[`${prefixed(path)} ${text}`, values] as [string, string[]]],
		),
	);
}

/** For every shell alike: nothing inside is the shell's. */
function quote(text: string): string {
	return `'${text.replaceAll("'", "’")}'`;
}
