/** The state that colours something: neutral, the brand's, good, needs attention, or failed. */
export type Tone = 'plain' | 'brand' | 'good' | 'warn' | 'bad'
