import('./run.ts').catch((error: unknown) => {
  console.error(error)
  /*
   * Exiting after a short delay gives Node's file watcher time to receive the list of files to watch. An uncaught error
   * would end the process immediately.
   */
  setTimeout(() => process.exit(1), 100)
})
