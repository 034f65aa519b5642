/** What belongs to products: reviews, FAQs, releases. Rows of a product that is not public are left out. */
import { Faq, Release, Review } from "../../api/records.ts";
import { addRecord, type Context, forEachRow, isLeftOut } from "../context.ts";
import { FragmentMaker } from "../fragments.ts";
import { cleanHtml } from "../html.ts";

export function extractReviews(context: Context): void {
  const maker = new FragmentMaker<Review>(Review);
  forEachRow(context, "reviews", (reader) => {
    const productId = reader.integer("product_id", 1);
    if (isLeftOut(context, "reviews", productId)) return;
    const product = context.products.get(productId);
    const review: Review = {
      id: reader.id(),
      product_id: productId,
      product_title: product?.title ?? "",
      product_slug: product?.slug ?? "",
      rating: reader.integer("rating", 1, 5),
      title: reader.text("title"),
      body: reader.text("body"),
      customer_display_name: reader.text("customer_display_name"),
      customer_avatar: reader.url("customer_avatar"),
      verified_purchase: reader.flag("verified_purchase"),
      created_at: reader.time("created_at"),
      product_url: product?.url ?? "",
    };
    const list = maker.make(review, reader);
    const ratings = context.ratings.get(productId) ?? { count: 0, sum: 0 };
    ratings.count += 1;
    ratings.sum += review.rating;
    context.ratings.set(productId, ratings);
    addRecord(context, "review", reader, {
      id: review.id,
      columns: [productId, review.product_slug, review.rating, review.created_at],
      list,
    });
  });
}

export function extractFaqs(context: Context): void {
  const maker = new FragmentMaker<Faq>(Faq);
  const positions = new Map<Faq, number>();
  forEachRow(context, "faqs", (reader) => {
    const productId = reader.integerOrNull("product_id", 1);
    if (productId !== null && isLeftOut(context, "faqs", productId)) return;
    const position = reader.integer("position", Number.MIN_SAFE_INTEGER);
    const answer = cleanHtml(reader.text("answer_html"));
    const faq: Faq = {
      id: reader.id(),
      product_id: productId,
      product_slug: productId === null ? null : (context.products.get(productId)?.slug ?? ""),
      type: reader.slug("type"),
      question: reader.name("question"),
      answer: answer.text,
      answer_html: answer.html,
    };
    const list = maker.make(faq, reader);
    if (productId !== null) {
      positions.set(faq, position);
      context.faqs.set(productId, [...(context.faqs.get(productId) ?? []), faq]);
    }
    addRecord(context, "faq", reader, {
      id: faq.id,
      columns: [productId, faq.product_slug, faq.type, position],
      list,
    });
  });
  const order = (a: Faq, b: Faq) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0) || b.id - a.id;
  for (const faqs of context.faqs.values()) faqs.sort(order);
}

export function extractReleases(context: Context): void {
  const maker = new FragmentMaker<Release>(Release);
  forEachRow(context, "releases", (reader) => {
    const productId = reader.integer("product_id", 1);
    if (isLeftOut(context, "releases", productId)) return;
    const product = context.products.get(productId);
    const release: Release = {
      product_id: productId,
      product_title: product?.title ?? "",
      version: reader.name("version"),
      title: reader.text("title"),
      notes: cleanHtml(reader.text("notes_html")).text,
      release_date: reader.time("release_date"),
      public_url: reader.url("public_url"),
    };
    const list = maker.make(release, reader);
    // Rows come in order of id, so of two on one day the later stays: the list's own order.
    const latest = context.latestReleases.get(productId);
    if (latest === undefined || release.release_date >= latest.release_date) {
      context.latestReleases.set(productId, release);
    }
    addRecord(context, "release", reader, {
      id: reader.id(),
      columns: [productId, product?.slug ?? "", release.release_date],
      list,
    });
  });
}
