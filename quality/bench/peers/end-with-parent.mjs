// Loaded before other people's programs, which would otherwise outlive a killed benchmark. Their Node may be older than ours.
process.once('disconnect', () => process.exit())
process.channel?.unref()
