import type { Words } from "../words/index.ts";

export const adminWords = {
	"admin.users": { en: "Users", sw: "Watumiaji" },
	"admin.businesses": { en: "Businesses", sw: "Biashara" },
	"admin.sales": { en: "Sales", sw: "Mauzo" },
	"admin.products": { en: "Products", sw: "Bidhaa" },
	"admin.reviews": { en: "Reviews", sw: "Maoni" },
	"admin.noReviews": {
		en: "Nobody has written a review yet.",
		sw: "Bado hakuna aliyeandika maoni.",
	},
	"admin.ai": { en: "Who may use AI", sw: "Nani anaweza kutumia AI" },
	"admin.allowAi": { en: "AI", sw: "AI" },
	"admin.rating": { en: "Average rating", sw: "Wastani wa alama" },
	"admin.new": {
		en: "{{count}} in the last 30 days",
		sw: "{{count}} katika siku 30 zilizopita",
	},
} satisfies Words;
