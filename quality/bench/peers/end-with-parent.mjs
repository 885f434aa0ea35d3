// Loaded before a program of somebody else's, which would outlive a bench that was killed. Their Node may be older than ours.
process.once('disconnect', () => process.exit())
process.channel?.unref()
