/** The demo's vocabulary. Only lists: how they are put together is in prose.ts and titles.ts. */

function list(text: string): readonly string[] {
  return text.split("|").map((entry) => entry.trim());
}

/** What a product is about. */
export const TOPICS: readonly string[] = list(
  `Booking Flow|Event Ticket|Newsletter|Membership|Invoice Ledger|Photo Gallery|Recipe Book|Job Board|
  Real Estate|Course Player|Podcast|Donation|Restaurant Menu|Appointment|Support Desk|Knowledge Base|Wiki|
  Price Table|Cookie Consent|Contact Form|Survey|Quiz|Chat Bubble|Lead Capture|Landing Page|Portfolio|Résumé|
  Café Menu|Crèche Planner|Façade Designer|Smörgåsbord|Piñata Party|Über Dispatch|Inventory|Warehouse|Shipping Label|
  Packing Slip|Tax Report|Expense|Payroll|Time Sheet|Shift Roster|Meeting Notes|Kanban|Roadmap|Changelog|Status Page|
  Feature Flag|Audit Trail|Backup|Image Optimiser|Video Embed|Audio Player|Map Marker|Store Locator|Weather|
  Currency|Language Switch|Search Box|Filter Panel|Sitemap|Redirect|Broken Link|Dashboard|Chart|Data Table|
  Spreadsheet Import|PDF Export|Barcode|QR Code|Gift Card|Loyalty Points|Referral|Affiliate|Wishlist|Product Compare|
  Size Guide|Countdown|Flash Sale|Subscription|Paywall|Login Page|Two Factor|Password Vault|Webhook Relay|
  Mail Merge|Calendar Sync|Signature|Contract|Proposal|Quote Builder|Workshop|Fitness Plan|Reading List|Family Tree`,
);

/** What kind of thing it is. */
export const FORMS: readonly string[] = list(
  `Kit|Builder|Studio|Manager|Toolkit|Templates|Theme|Plugin|Script|Widget|Starter|Suite|Bundle|Engine|
  Connector|Generator|Playbook|Handbook|Icons|Components|Console|Assistant|Tracker|Importer|Designer|Library|Pack|
  Service|Checklist|Blueprint|Workbench|Add-on|Module|Boilerplate|Snippets|Layouts|Patterns|Companion|Monitor`,
);

/** For whom, or how much of it. The empty one is as good as any. */
export const EDITIONS: readonly string[] = list(
  `|Pro|Lite|Plus|Studio Edition|for Agencies|for Freelancers|for Shops|for Teams|for Schools|for Clinics|
  for Nonprofits|for React|for Vue|for Svelte|for Laravel|for Django|for Rails|for Node|for WordPress|for Figma|
  Classic|Next|Mini|Max|One|2.0|Essentials|Advanced|Unlimited|Express|Cloud|Self-Hosted|Offline|Mobile|Dark|Light|
  International`,
);

export const GIVEN_NAMES: readonly string[] = list(
  `Ada|Agnès|Aiko|Amara|Ana|Anders|Björn|Carla|Chidi|Clara|Daniel|Deniz|Dmitri|Elif|Emeka|Emma|Fatima|Felix|
  Florence|François|Giulia|Grace|Hana|Hugo|Ines|Isaac|Jakub|Jasmine|Jonas|José|Kaito|Katya|Kofi|Lars|Leila|Liam|
  Lucía|Magda|Marek|Mateo|Maya|Mei|Mohamed|Nadia|Nils|Noor|Olga|Omar|Paolo|Petra|Priya|Quentin|Rahul|Rosa|Samuel|
  Sanna|Sofia|Søren|Tariq|Thandiwe|Tomás|Uma|Viktor|Wanjiru|Xiu|Yara|Yusuf|Zoë`,
);
export const FAMILY_NAMES: readonly string[] = list(
  `Abara|Almeida|Andersson|Baker|Banerjee|Bianchi|Bosch|Çelik|Chen|Clarke|Costa|Dahl|Diallo|Dubois|Eriksen|
  Fischer|Fontaine|García|Grant|Haddad|Hansen|Hoffmann|Ibrahim|Ito|Jansen|Kaur|Keller|Kim|Kovács|Kowalski|Lefèvre|
  Lindqvist|Marino|Martín|Mbeki|Moreau|Müller|Nakamura|Novák|Nowak|O'Brien|Okafor|Olsen|Papadakis|Patel|Petrov|
  Quinn|Ramos|Reyes|Rossi|Sato|Schmidt|Silva|Singh|Sørensen|Tanaka|Torres|Usman|Varga|Weber|Yılmaz|Zhang`,
);
export const SCREEN_NAMES: readonly string[] = list(
  `pixelpilot|northwind_dev|late.night.coder|tinyshop|markup_mage|helloworld42|studio-ost|bytesmith|the_baker|
  formfollowsfun|garden_of_forms|两只老虎|さくら|kaffee&code|no.coffee.no.code|semicolon|frontporch|quietdesk|o_o`,
);

export const QUALITIES: readonly string[] = list(
  `clean|fast|careful|well documented|unobtrusive|dependable|accessible|lightweight|thoughtful|predictable|
  tidy|flexible|privacy-friendly|responsive|plain|robust`,
);
export const AUDIENCES: readonly string[] = list(
  `small shops|agencies|freelancers|course makers|event teams|clinics|publishers|community groups|schools|
  restaurants|studios|product teams|charities|local newspapers|indie developers`,
);
export const CHORES: readonly string[] = list(
  `copying data by hand|chasing late replies|rebuilding the same page|sorting spreadsheets|answering the same question
  |keeping two lists in step|waiting for a nightly job|checking every browser|explaining the process again|
  guessing what changed`,
);
export const FEATURES: readonly string[] = list(
  `Works without JavaScript, and better with it|Keyboard and screen reader tested|Dark and light colour schemes|
  Import and export as CSV|Templates in twelve languages|Webhooks for every event|Roles and permissions|
  One configuration file|Drag-and-drop ordering|Undo for every change|Full-text search with accents folded|
  Printable views|Offline drafts|Scheduled publishing|Custom fields without code|A REST API with examples|
  Right-to-left layouts|Two-way calendar sync|Automatic backups before updates|Audit log of who did what|
  Tax rates by country|Time zones handled properly|Bulk editing|Safe defaults for privacy|Source files included|
  Figma file with named layers|Tested on Node 20 and 22|PHP 8.2 or newer|No tracking of any kind|Free updates for a year`,
);

export const BLOG_SUBJECTS: readonly string[] = list(
  `Choosing a licence|Shipping small updates|Writing release notes people read|Pricing digital goods|
  Naming your templates|Answering support mail|Testing a theme|Keeping a changelog|Planning a preorder|
  Running an honest sale|Explaining refunds|Documenting a script|Translating a product page|Designing for print|
  Making forms kinder|Reading your reviews|Moving to static pages|Measuring without tracking|Backing up a shop|
  Retiring an old product`,
);
export const BLOG_ANGLES: readonly string[] = list(
  `a short guide|what we learned|five habits|for beginners|without the jargon|one year later|the checklist|
  a field report|questions and answers|before and after|from the workshop|in practice|an opinion|step by step`,
);

export const THREAD_OPENINGS: readonly string[] = list(
  `How do I set up|Trouble with|Feature idea for|Best practice for|Migrating to|Feedback on|Can I translate|
  Performance of|Styling|Updating|Exporting data from|Is there an API for|Accessibility of|Licence question about`,
);

export const FAQ_TYPES: readonly string[] = [
  "licensing",
  "installation",
  "billing",
  "updates",
  "support",
  "refunds",
];
