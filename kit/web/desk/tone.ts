export type Tone = 'plain' | 'brand' | 'good' | 'warn' | 'bad'
