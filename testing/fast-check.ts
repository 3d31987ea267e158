import fc from 'fast-check'

// The same cases on every machine and in every run. Another seed looks for what these did not find.
fc.configureGlobal({ seed: Number(process.env['LADING_SEED'] ?? 1) })

export default fc
