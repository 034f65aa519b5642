/*
 * Vitrine's review widget. Embed:
 *   <div id="product-reviews"></div>
 *   <script async src="…/widgets/reviews.js" data-product-slug="invoice-kit" data-limit="5" data-theme="light"
 *           data-container="product-reviews"></script>
 * Texts are set as text, never as HTML. Without a container the reviews stand where the script tag stands.
 */
function vitrineReviews(api) {
  "use strict";
  var script = document.currentScript;
  if (!script) return;
  var slug = (script.getAttribute("data-product-slug") || "").trim();
  if (!slug) {
    // Without one the API would answer with the reviews of the whole shop.
    console.error("Vitrine: no reviews are shown, because this script tag has no data-product-slug.", script);
    return;
  }
  var limit = Math.min(100, Math.max(1, parseInt(script.getAttribute("data-limit"), 10) || 5));
  var dark = script.getAttribute("data-theme") === "dark";

  function element(name, style, text) {
    var made = document.createElement(name);
    made.style.cssText = style;
    if (text) made.textContent = text;
    return made;
  }

  function stars(rating) {
    return "★★★★★".slice(0, rating) + "☆☆☆☆☆".slice(rating);
  }

  function card(review) {
    var article = element(
      "article",
      "padding:12px 16px;margin:0 0 12px;border-radius:8px;border:1px solid " +
        (dark ? "#3d444d;background:#161b22;color:#e6edf3" : "#d0d7de;background:#fff;color:#1f2328"),
    );
    var rating = element("div", "color:" + (dark ? "#e3b341" : "#9a6700"), stars(review.rating));
    rating.setAttribute("role", "img");
    rating.setAttribute("aria-label", review.rating + " / 5");
    article.appendChild(rating);
    if (review.title) article.appendChild(element("strong", "display:block;overflow-wrap:anywhere", review.title));
    article.appendChild(element("p", "margin:4px 0;white-space:pre-line;overflow-wrap:anywhere", review.body));
    var by = review.customer_display_name + " · " + review.created_at.slice(0, 10);
    article.appendChild(element("small", "opacity:.75", by + (review.verified_purchase ? " · ✓" : "")));
    return article;
  }

  function container() {
    var id = script.getAttribute("data-container");
    var found = id && document.getElementById(id);
    if (found) return found;
    var made = document.createElement("div");
    script.parentNode.insertBefore(made, script);
    return made;
  }

  function show(place, reviews) {
    var list = element("div", "font:15px/1.45 system-ui,sans-serif;max-width:640px");
    list.setAttribute("data-vitrine", "reviews");
    reviews.forEach(function (review) {
      list.appendChild(card(review));
    });
    place.textContent = "";
    place.appendChild(list);
  }

  function load() {
    var place = container();
    // The default page size has a file for every product: the CDN answers it. A smaller limit only shows fewer.
    var query = "?product_slug=" + encodeURIComponent(slug) + (limit > 20 ? "&per_page=" + limit : "");
    fetch(api + "/reviews" + query)
      .then(function (response) {
        return response.json();
      })
      .then(function (answer) {
        if (answer.success) show(place, answer.data.slice(0, limit));
      })
      .catch(function () {
        // A page must not break because its reviews can't be reached: the place stays empty.
      });
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", load);
  else load();
}
