import('./run.ts').catch((error: unknown) => {
  console.error(error)
  // The watcher learns by a message which files to watch. An uncaught error would end the process before the message is sent.
  setTimeout(() => process.exit(1), 100)
})
