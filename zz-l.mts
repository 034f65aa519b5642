const { openCatalog } = await import("/work/wt/lists/src/catalog/catalog.ts");
const c = openCatalog("/dev/shm/lists/catalog.sqlite");
for (const name of ["product","review"]) { const t = performance.now(); c.table(name).warm(); console.log(name, performance.now()-t); }
