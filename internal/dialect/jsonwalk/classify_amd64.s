#include "textflag.h"

// Letters that end an escape, at the place of their lower four bits: b, t, f, n and the slash. A byte is one of them if
// it equals what stands at its own place; the other places hold what no byte there can equal. r shares its place with b
// and is compared by itself.
DATA letters<>+0(SB)/8, $0x0066007400620001
DATA letters<>+8(SB)/8, $0x2f6e000000000000
GLOBL letters<>(SB), RODATA|NOPTR, $16

DATA bytes<>+0(SB)/4, $0x1f725c22 // ", \, r, the last control character
GLOBL bytes<>(SB), RODATA|NOPTR, $4

// func classifyAVX2(block *[blockSize]byte) (quote, slash, odd, simple uint64)
TEXT ·classifyAVX2(SB), NOSPLIT, $0-40
	MOVQ block+0(FP), SI
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1

	// "
	VPBROADCASTB bytes<>+0(SB), Y2
	VPCMPEQB     Y2, Y0, Y3
	VPCMPEQB     Y2, Y1, Y4
	VPMOVMSKB    Y3, AX
	VPMOVMSKB    Y4, BX
	SHLQ         $32, BX
	ORQ          BX, AX
	MOVQ         AX, quote+8(FP)

	// the backslash
	VPBROADCASTB bytes<>+1(SB), Y2
	VPCMPEQB     Y2, Y0, Y3
	VPCMPEQB     Y2, Y1, Y4
	VPMOVMSKB    Y3, CX
	VPMOVMSKB    Y4, BX
	SHLQ         $32, BX
	ORQ          BX, CX
	MOVQ         CX, slash+16(FP)
	ORQ          CX, AX // simple: so far both

	// odd: the lesser of a control character and 0x1f is itself, and bytes beyond ASCII have the sign bit
	VPBROADCASTB bytes<>+3(SB), Y2
	VPMINUB      Y2, Y0, Y3
	VPMINUB      Y2, Y1, Y4
	VPCMPEQB     Y3, Y0, Y3
	VPCMPEQB     Y4, Y1, Y4
	VPOR         Y0, Y3, Y3
	VPOR         Y1, Y4, Y4
	VPMOVMSKB    Y3, DX
	VPMOVMSKB    Y4, BX
	SHLQ         $32, BX
	ORQ          BX, DX
	MOVQ         DX, odd+24(FP)

	// simple: the letters, and r
	VBROADCASTI128 letters<>(SB), Y2
	VPSHUFB        Y0, Y2, Y3
	VPSHUFB        Y1, Y2, Y4
	VPCMPEQB       Y3, Y0, Y3
	VPCMPEQB       Y4, Y1, Y4
	VPBROADCASTB   bytes<>+2(SB), Y2
	VPCMPEQB       Y2, Y0, Y5
	VPCMPEQB       Y2, Y1, Y6
	VPOR           Y5, Y3, Y3
	VPOR           Y6, Y4, Y4
	VPMOVMSKB      Y3, DX
	VPMOVMSKB      Y4, BX
	SHLQ           $32, BX
	ORQ            BX, DX
	ORQ            DX, AX
	MOVQ           AX, simple+32(FP)
	VZEROUPPER
	RET
