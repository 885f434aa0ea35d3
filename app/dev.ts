import('./run.ts').catch((error: unknown) => {
  console.error(error)
  // The delay lets Node's file watcher receive the list of files to watch, which an uncaught error would prevent.
  setTimeout(() => process.exit(1), 100)
})
