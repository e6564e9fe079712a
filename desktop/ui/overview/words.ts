import type { Words } from "../words/index.ts";

export const overviewWords = {
	"dashboard.today": { en: "Today", sw: "Leo" },
	"dashboard.yesterday": { en: "Yesterday", sw: "Jana" },
	"dashboard.week": { en: "Last 7 days", sw: "Siku 7 zilizopita" },
	"dashboard.month": { en: "Last 30 days", sw: "Siku 30 zilizopita" },
	"dashboard.sales_one": { en: "{{count}} sale", sw: "Mauzo {{count}}" },
	"dashboard.sales_other": { en: "{{count}} sales", sw: "Mauzo {{count}}" },
	"dashboard.profit": { en: "Profit {{amount}}", sw: "Faida {{amount}}" },
	"dashboard.basket": { en: "Average {{amount}}", sw: "Wastani {{amount}}" },
	"dashboard.byDay": { en: "Revenue by day", sw: "Mapato kwa siku" },
	"dashboard.byHour": { en: "Busy hours", sw: "Saa zenye shughuli" },
	"dashboard.methods": {
		en: "How customers paid",
		sw: "Jinsi wateja walivyolipa",
	},
	"dashboard.top": { en: "Best sellers", sw: "Zinazouzika zaidi" },
	"dashboard.byRevenue": { en: "By revenue", sw: "Kwa mapato" },
	"dashboard.byProfit": { en: "By profit", sw: "Kwa faida" },
	"dashboard.low": { en: "Low stock", sw: "Zinazokaribia kuisha" },
	"dashboard.lowNone": {
		en: "Nothing is running low.",
		sw: "Hakuna inayokaribia kuisha.",
	},
	"dashboard.revenue": { en: "Revenue", sw: "Mapato" },
} satisfies Words;
