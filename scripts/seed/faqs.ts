/** Questions and answers: general ones, and half a one to a product. */
import { HOSTILE_HTML } from "./prose.ts";
import { DAY } from "./time.ts";
import { FAQ_TYPES } from "./words.ts";
import type { World } from "./world.ts";
import type { Row } from "./writer.ts";

const QUESTIONS: Readonly<Record<string, readonly (readonly [question: string, answer: string])[]>> = {
  licensing: [
    [
      "May I use it for a client?",
      "<p>Yes. One regular licence covers <strong>one end product</strong>, yours or a client's.</p>",
    ],
    [
      "What does the extended licence add?",
      "<p>It covers products that <em>you sell</em>, for example a theme with our icons in it.</p>",
    ],
  ],
  installation: [
    [
      "How do I install it?",
      "<ol><li>Unpack the archive.</li><li>Copy the folder to your site.</li><li>Open <code>/setup</code>.</li></ol>",
    ],
    ["Does it run on shared hosting?", "<p>Yes, as long as the requirements on its page are met.</p>"],
  ],
  billing: [
    ["Which payments do you take?", "<p>Cards, bank transfer and invoices for schools &amp; charities.</p>"],
    ["Is VAT included?", "<p>Prices are shown without it; the checkout adds what your country asks for.</p>"],
  ],
  updates: [
    [
      "How long do I get updates?",
      "<p>For <strong>twelve months</strong>. The version you have keeps working for ever.</p>",
    ],
    ["How do I update?", "<p>Replace the folder; settings are kept. Read the notes first.</p>"],
  ],
  support: [
    [
      "Where do I ask for help?",
      '<p>In the <a href="/forum">forum</a>, where others can read the answer too.</p>',
    ],
    ["Do you customise it?", "<p>We do, from half a day on. See the services.</p>"],
  ],
  refunds: [
    ["Can I get my money back?", "<p>Within thirty days, no reason needed.</p>"],
    ["Do refunds end my licence?", "<p>Yes, the key stops working with the refund.</p>"],
  ],
};

interface FaqEdge {
  readonly row: Row;
  readonly hidden: boolean;
}

/** General and of product 12: each reason not to show a question, and characters that must be encoded. */
const EDGES: readonly FaqEdge[] = [
  { row: { question: "Is this one switched off?", is_active: 0 }, hidden: true },
  { row: { question: "What does staff answer?", audience: "staff" }, hidden: true },
  { row: { question: "What do customers read?", audience: "customers" }, hidden: true },
  { row: { question: "Off, and of a product?", is_active: 0, product_id: 12 }, hidden: true },
  { row: { question: "Staff, and of a product?", audience: "staff", product_id: 12 }, hidden: true },
  {
    row: { question: `Is "5 < 6" & <b>bold</b>?`, answer_html: HOSTILE_HTML, product_id: 12 },
    hidden: false,
  },
  { row: { question: "Kann ich die Rechnung ändern? 請求書は？", product_id: 12 }, hidden: false },
];

export function seedFaqs(world: World): void {
  const random = world.random("faqs");
  let id = 0;
  const add = (row: Row, hidden: boolean): void => {
    id++;
    const type = random.pick(FAQ_TYPES);
    const [question, answer] = random.pick(QUESTIONS[type] ?? []);
    const base: Row = {
      id,
      question,
      answer_html: answer,
      category: type,
      product_id: null,
      position: random.between(1, 5),
      updated_at: world.at(-random.between(1, 500) * DAY),
      is_active: 1,
      audience: "public",
    };
    world.writer.add("faqs", id, { ...base, ...row }, hidden);
  };
  for (const edge of EDGES) add(edge.row, edge.hidden);
  for (const [type, pairs] of Object.entries(QUESTIONS)) {
    for (const [question, answer] of pairs) add({ category: type, question, answer_html: answer }, false);
  }
  for (const ref of world.refs) {
    const count = random.chance(30) ? random.between(1, 2) : 0;
    for (let index = 0; index < count; index++) {
      const isActive = random.chance(95);
      add({ product_id: ref.id, is_active: isActive ? 1 : 0 }, ref.hidden || !isActive);
    }
  }
}
