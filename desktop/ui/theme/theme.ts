import {
	type CSSVariablesResolver,
	createTheme,
	defaultVariantColorsResolver,
	type MantineColorsTuple,
} from "@mantine/core";

/** Mantine's colours by the roles of tokens.css: the colour, text on it, and a soft ground for it. */
const colours = {
	ink: ["--ink", "--surface", "--carbon-soft"],
	money: ["--money", "--on-money", "--money-soft"],
	violet: ["--offline", "--on-offline", "--carbon-soft"],
	orange: ["--attention", "--surface", "--attention-soft"],
	yellow: ["--attention", "--surface", "--attention-soft"],
	red: ["--danger", "--surface", "--danger-soft"],
	gray: ["--muted", "--surface", "--sunk"],
} as const;

/** Mantine draws grounds, borders and quiet text with shades of grey: from the lightest, and in the dark from the text's. */
const greys = {
	gray: "sunk sunk line line edge edge muted muted ink ink",
	dark: "ink ink muted muted line line surface surface sunk sunk",
};

function rampOf(roles: string): MantineColorsTuple {
	return roles
		.split(" ")
		.map((role) => `var(--${role})`) as unknown as MantineColorsTuple;
}

/** Mantine asks for ten shades of a colour; a role has one. */
function tupleOf([role]: readonly string[]): MantineColorsTuple {
	return Array(10).fill(`var(${role})`) as unknown as MantineColorsTuple;
}

/** Mantine's close buttons have no accessible name; this names them in the user's language. */
export function themeFor(close: string) {
	return createTheme({
		primaryColor: "ink",
		colors: {
			...Object.fromEntries(
				Object.entries(colours).map(([name, roles]) => [name, tupleOf(roles)]),
			),
			gray: rampOf(greys.gray),
			dark: rampOf(greys.dark),
		},
		variantColorResolver(input) {
			const resolved = defaultVariantColorsResolver(input);
			const [, on] =
				colours[(input.color ?? "ink") as keyof typeof colours] ?? [];
			return input.variant === "filled" && on
				? { ...resolved, color: `var(${on})` }
				: resolved;
		},
		radius: { xs: "4px", sm: "6px", md: "6px", lg: "10px", xl: "14px" },
		defaultRadius: "md",
		fontFamily: "'Instrument Sans', system-ui, sans-serif",
		cursorType: "pointer",
		respectReducedMotion: true,
		components: {
			Button: { styles: { root: { fontWeight: 620 } } },
			InputWrapper: {
				styles: { label: { fontSize: 14, fontWeight: 600, marginBottom: 6 } },
			},
			Card: { defaultProps: { radius: "lg" } },
			Modal: { defaultProps: { radius: "xl" } },
			MenuItem: { defaultProps: { mih: 44 } },
			ModalCloseButton: { defaultProps: { "aria-label": close, size: 44 } },
			DrawerCloseButton: { defaultProps: { "aria-label": close, size: 44 } },
		},
	});
}

/** Puts the tokens where Mantine looks for its own colours. */
export const variables: CSSVariablesResolver = () => {
	const roles: Record<string, string> = {
		"--mantine-color-body": "var(--surface)",
		"--mantine-color-default": "var(--surface)",
		"--mantine-color-default-hover": "var(--sunk)",
		"--mantine-color-default-color": "var(--ink)",
		"--mantine-color-default-border": "var(--line)",
		"--mantine-color-text": "var(--ink)",
		"--mantine-color-dimmed": "var(--muted)",
		"--mantine-color-placeholder": "var(--muted)",
		"--mantine-color-error": "var(--danger)",
		"--mantine-color-anchor": "var(--ink)",
	};
	for (const [name, [role, , soft]] of Object.entries(colours)) {
		const color = `--mantine-color-${name}`;
		roles[`${color}-filled`] = `var(${role})`;
		roles[`${color}-filled-hover`] =
			`color-mix(in srgb, var(${role}) 88%, var(--surface))`;
		roles[`${color}-outline`] = `var(${role})`;
		roles[`${color}-light`] = `var(${soft})`;
		roles[`${color}-light-hover`] = `var(${soft})`;
		roles[`${color}-light-color`] = `var(${role})`;
	}
	return { variables: {}, light: roles, dark: roles };
};
