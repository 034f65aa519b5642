// React 19 moves the script into <head> and loads it once, however many components name it.
// suppressHydrationWarning: the widget may start before React does, and it sets its own attributes.
export function ProductReviews({ slug }) {
  return (
    <>
      <script async src="https://shop.example/widgets/reviews.js" />
      <vitrine-reviews product-slug={slug} limit={5} json-ld suppressHydrationWarning />
    </>
  );
}
