import { createTheme, type MantineColorsTuple } from "@mantine/core";

/** The receipt book's green; its darker half carries white text at AA and better. */
const leaf: MantineColorsTuple = [
	"#eaf7ef",
	"#d5ebdd",
	"#a9d6ba",
	"#7ac196",
	"#53af77",
	"#3aa463",
	"#2b8a51",
	"#1d6f42",
	"#185c37",
	"#0f452a",
];

export const theme = createTheme({
	primaryColor: "leaf",
	primaryShade: { light: 7, dark: 6 },
	colors: { leaf },
	defaultRadius: "md",
	fontFamily:
		"system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
	cursorType: "pointer",
});
