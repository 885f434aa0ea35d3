/** How something stands, which colours it: plain, ours, as it should be, to be looked at, gone wrong. */
export type Tone = 'plain' | 'brand' | 'good' | 'warn' | 'bad'
